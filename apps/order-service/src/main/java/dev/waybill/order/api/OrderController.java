package dev.waybill.order.api;

import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.ratelimit.RateLimit;
import dev.waybill.guard.web.Answer;
import dev.waybill.order.domain.Order;
import dev.waybill.order.domain.OrderService;
import dev.waybill.order.domain.StateChange;
import dev.waybill.servicekit.AnsweredLikeUnknown;
import dev.waybill.servicekit.Caller;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authorization.method.HandleAuthorizationDenied;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Orders over HTTP. Both writes pass the rate limit, then the caller's rights, then the idempotency guard. While Redis is away
 * the guard lets them through, and repeats are recognised by the database: a create by its unique key, a cancel by the
 * order's status.
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

    /** How long a repeat waits for the first run's answer before it is told to come back. */
    private static final int WAIT_MILLIS = 1_000;

    private final OrderService orders;

    OrderController(OrderService orders) {
        this.orders = orders;
    }

    /** Answers 404 unless the caller may see the order; asked before a stored answer is given. */
    @Retention(RetentionPolicy.RUNTIME)
    @PreAuthorize("@orderAccess.maySee(#caller, #orderNo)")
    @HandleAuthorizationDenied(handlerClass = AnsweredLikeUnknown.class)
    @interface OfVisibleOrder {}

    /** The body of a cancel, for callers that send no header. */
    record CancelOrder(@Nullable String clientRequestId) {}

    @Operation(
            summary = "Create an order",
            description =
                    "The same clientRequestId, or the same key in the header where there is none, is the same order;"
                            + " with other items it is refused.")
    @PostMapping
    @RateLimit(slice = TOKENS_AT_ONCE)
    @PreAuthorize("#caller.is(#request.userId())")
    @Idempotent(
            prefix = "order:create",
            key = "#request.clientRequestId()",
            headerFirst = true,
            fingerprint = "#request.wanted(#http).meaning()",
            waitMillis = WAIT_MILLIS,
            whenDown = Idempotent.WhenDown.FALL_THROUGH)
    public Answer<Order> create(@Valid @RequestBody CreateOrder request, HttpServletRequest http, Caller caller) {
        return Answer.ok(orders.create(request.wanted(http)));
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
    @OfVisibleOrder
    @Idempotent(
            prefix = "order:cancel",
            key = "#request?.clientRequestId()",
            headerFirst = true,
            fingerprint = "#orderNo",
            whenDown = Idempotent.WhenDown.FALL_THROUGH)
    public Answer<Order> cancel(
            @PathVariable String orderNo, @RequestBody(required = false) @Nullable CancelOrder request, Caller caller) {
        return Answer.ok(orders.cancel(orderNo));
    }

    @Operation(summary = "An order as it stands")
    @GetMapping("/{orderNo}")
    @OfVisibleOrder
    public Answer<Order> find(@PathVariable String orderNo, Caller caller) {
        return Answer.ok(orders.find(orderNo));
    }

    @Operation(
            summary = "An order's history",
            description = "Every change of its status, and every stock event that came too late to change it.")
    @GetMapping("/{orderNo}/flow")
    @OfVisibleOrder
    public Answer<List<StateChange>> flow(@PathVariable String orderNo, Caller caller) {
        return Answer.ok(orders.history(orderNo));
    }

    @Operation(
            summary = "A user's orders, newest first",
            description = "Pages count from 1 and have at most 100 orders.")
    @GetMapping
    public Answer<OrderService.Page> list(
            @RequestParam @Min(1) long userId,
            @RequestParam(defaultValue = "1") @Min(1) @Max(1_000_000) int page,
            @RequestParam(defaultValue = "20") @Min(1) @Max(100) int size,
            Caller caller) {
        return Answer.ok(
                caller.maySee(userId)
                        ? orders.page(userId, page, size)
                        : new OrderService.Page(List.of(), page, size, 0));
    }
}
