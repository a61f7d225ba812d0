package dev.waybill.guarddemo.web;

import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.ratelimit.RateLimit;
import dev.waybill.guard.web.Answer;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** One handler for each guard. */
@RestController
@RequestMapping("/demo")
public class DemoController {

    private static final Logger log = LoggerFactory.getLogger(DemoController.class);
    private static final DateTimeFormatter ORDER_TIME = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");

    private final AtomicLong orders = new AtomicLong();

    /** What the caller wants to order; everything may be left out. */
    public record DemoRequest(
            @Nullable String item, @Nullable Integer quantity) {}

    /** The order that was made. */
    public record DemoOrder(
            long id,
            String orderNo,
            @Nullable String item,
            @Nullable Integer quantity) {}

    /** 200 a second, bursts of 200, for all callers together. */
    @GetMapping("/ratelimit")
    @RateLimit
    public Answer<String> rateLimitDemo() {
        return Answer.ok("passed");
    }

    /** One order per idempotency key; no body is the same request as one that leaves everything out. */
    @PostMapping("/idempotent")
    @Idempotent(prefix = "demo:order", fingerprint = "#request ?: {:}")
    public Answer<DemoOrder> idempotentDemo(@RequestBody(required = false) @Nullable DemoRequest request) {
        long id = orders.incrementAndGet();
        String orderNo = "ORD" + ORDER_TIME.format(LocalDateTime.now(ZoneOffset.UTC)) + "%07d".formatted(id);
        log.info("[Demo] order created orderNo={}", orderNo);
        return Answer.ok(new DemoOrder(
                id, orderNo, request == null ? null : request.item(), request == null ? null : request.quantity()));
    }
}
