package dev.waybill.marketplace.api;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.marketplace.domain.Fulfillment;
import dev.waybill.marketplace.domain.FulfillmentRepository;
import dev.waybill.marketplace.domain.Order;
import dev.waybill.marketplace.domain.OrderPlacement;
import dev.waybill.marketplace.domain.OrderService;
import dev.waybill.marketplace.domain.Trigger;
import dev.waybill.servicekit.Caller;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Orders over HTTP. A repeat of what already happened changes nothing and returns the order. Buyer, seller and operators see an
 * order; to everybody else there is none.
 */
@Tag(name = "Orders")
@RestController
@RequestMapping("/orders")
class OrderController {

    private static final String KEY = "[!-~]{1,128}";

    private static final String KEY_RULE = "1 to 128 visible ASCII characters";

    private final OrderPlacement placement;
    private final OrderService orders;
    private final FulfillmentRepository fulfillments;

    OrderController(OrderPlacement placement, OrderService orders, FulfillmentRepository fulfillments) {
        this.placement = placement;
        this.orders = orders;
        this.fulfillments = fulfillments;
    }

    @Operation(
            summary = "Orders a product; of many buyers one gets it",
            description =
                    "Send an idempotency key, and send it again when the answer was lost: it is the same order then.")
    @PostMapping
    Answer<Order> create(
            @Valid @RequestBody CreateOrder request,
            @RequestHeader(name = "X-Idempotency-Key", required = false)
                    @Pattern(regexp = KEY, message = KEY_RULE) @Nullable String xIdempotencyKey,
            @RequestHeader(name = "Idempotency-Key", required = false)
                    @Pattern(regexp = KEY, message = KEY_RULE) @Nullable String idempotencyKey,
            Caller caller) {
        caller.mustBe(request.buyerId());
        String key = xIdempotencyKey == null ? idempotencyKey : xIdempotencyKey;
        return Answer.ok(placement.place(request.buyerId(), request.productId(), key));
    }

    /** Somebody else's orders are answered like those of a buyer who has none. */
    @Operation(summary = "A buyer's orders, newest first; pages count from 1")
    @GetMapping
    Answer<OrderService.Page> list(
            @RequestParam @Positive long buyerId,
            @RequestParam(defaultValue = "1") @Min(1) @Max(1_000_000) int page,
            @RequestParam(defaultValue = "20") @Min(1) @Max(100) int size,
            Caller caller) {
        return Answer.ok(
                caller.maySee(buyerId)
                        ? orders.ofBuyer(buyerId, page, size)
                        : new OrderService.Page(List.of(), page, size, 0));
    }

    @Operation(summary = "An order")
    @GetMapping("/{id}")
    Answer<Order> find(@PathVariable String id, Caller caller) {
        return Answer.ok(visible(id, caller));
    }

    @Operation(summary = "Pays a pending order")
    @PostMapping("/{id}/pay")
    Answer<Order> pay(@PathVariable String id, Caller caller) {
        return move(id, Trigger.PAY, caller);
    }

    @Operation(summary = "Ships a paid order")
    @PostMapping("/{id}/ship")
    Answer<Order> ship(@PathVariable String id, Caller caller) {
        return move(id, Trigger.SHIP, caller);
    }

    @Operation(summary = "Completes a shipped order")
    @PostMapping("/{id}/complete")
    Answer<Order> complete(@PathVariable String id, Caller caller) {
        return move(id, Trigger.COMPLETE, caller);
    }

    @Operation(summary = "Cancels a pending order; its product is for sale again")
    @PostMapping("/{id}/cancel")
    Answer<Order> cancel(@PathVariable String id, Caller caller) {
        return move(id, Trigger.CANCEL, caller);
    }

    @Operation(summary = "Whether the seller has been asked to send it off, and did")
    @GetMapping("/{id}/fulfillment")
    Answer<Fulfillment> fulfillment(@PathVariable String id, Caller caller) {
        return Answer.ok(
                fulfillments.find(visible(id, caller).id()).orElseThrow(() -> new RefusedException(Code.NOT_FOUND)));
    }

    private Answer<Order> move(String id, Trigger trigger, Caller caller) {
        Order order = visible(id, caller);
        caller.mustBe(trigger.actor(order));
        return Answer.ok(orders.move(order.id(), trigger));
    }

    private Order visible(String id, Caller caller) {
        Order order = orders.find(Ids.read(id));
        if (!caller.maySee(order.buyerId(), order.sellerId())) {
            throw new RefusedException(Code.NOT_FOUND);
        }
        return order;
    }
}
