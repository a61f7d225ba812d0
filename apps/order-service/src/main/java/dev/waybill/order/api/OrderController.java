package dev.waybill.order.api;

import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.ratelimit.RateLimit;
import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.order.domain.Order;
import dev.waybill.order.domain.OrderNumbers;
import dev.waybill.order.domain.OrderPages;
import dev.waybill.order.domain.OrderService;
import dev.waybill.order.domain.StateChange;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Orders over HTTP. Both writes pass the rate limit, then the idempotency guard. While Redis is away the guard lets them
 * through, and repeats are recognised by the database: a create by its unique key, a cancel by the order's status.
 */
@RestController
@RequestMapping("/orders")
@Tag(name = "Orders", description = "create, look at, cancel")
class OrderController {

    /**
     * Tokens that this process takes from Redis at once, a twentieth of what a second allows: nine of ten decisions need no
     * round trip, and the limit is exceeded by ten calls for each process at most.
     */
    private static final int TOKENS_AT_ONCE = 10;

    private final OrderService orders;
    private final OrderPages pages;

    OrderController(OrderService orders, OrderPages pages) {
        this.orders = orders;
        this.pages = pages;
    }

    @Operation(
            summary = "Create an order",
            description = "The same clientRequestId again is the same order; with other items it is refused.")
    @PostMapping
    @RateLimit(slice = TOKENS_AT_ONCE)
    @Idempotent(
            prefix = "order:create",
            key = "#request.clientRequestId()",
            fingerprint = "#request.meaning()",
            whenDown = Idempotent.WhenDown.FALL_THROUGH)
    public Answer<Order> create(@RequestBody CreateOrder request) {
        return Answer.ok(orders.create(request.checked()));
    }

    @Operation(
            summary = "Cancel an order",
            description =
                    "Gives reserved stock back. Canceling a canceled order returns it. The key is the header, else the"
                            + " body's clientRequestId.")
    @ApiResponse(responseCode = "200", description = "OK", useReturnTypeSchema = true)
    @ApiResponse(
            responseCode = "409",
            description = "STATE_INVALID: the order failed for want of stock",
            content = @Content)
    @PostMapping("/{orderNo}/cancel")
    @RateLimit(slice = TOKENS_AT_ONCE)
    @Idempotent(
            prefix = "order:cancel",
            key = "#request?.clientRequestId()",
            headerFirst = true,
            fingerprint = "#orderNo",
            whenDown = Idempotent.WhenDown.FALL_THROUGH)
    public Answer<Order> cancel(
            @PathVariable String orderNo, @RequestBody(required = false) @Nullable CancelOrder request) {
        return Answer.ok(orders.cancel(known(orderNo)));
    }

    @Operation(summary = "An order as it stands")
    @GetMapping("/{orderNo}")
    public Answer<Order> find(@PathVariable String orderNo) {
        return Answer.ok(orders.find(known(orderNo)));
    }

    @Operation(
            summary = "An order's history",
            description = "Every change of its status, and every stock event that came too late to change it.")
    @GetMapping("/{orderNo}/flow")
    public Answer<List<StateChange>> flow(@PathVariable String orderNo) {
        return Answer.ok(orders.history(known(orderNo)));
    }

    /** A user's orders, newest first; pages count from 1. */
    @Operation(
            summary = "A user's orders, newest first",
            description = "Pages count from 1 and have at most 100 orders.")
    @GetMapping
    public Answer<OrderPages.Page> list(
            @RequestParam long userId,
            @RequestParam(defaultValue = "1") int page,
            @RequestParam(defaultValue = "20") int size) {
        return Answer.ok(pages.of(userId, page, size));
    }

    /** Refuses a text that cannot be an order number before it reaches the database. */
    private static String known(String orderNo) {
        if (!OrderNumbers.SHAPE.matcher(orderNo).matches()) {
            throw new RefusedException(Code.NOT_FOUND);
        }
        return orderNo;
    }
}
