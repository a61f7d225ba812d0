package dev.waybill.marketplace.api;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.marketplace.domain.Fulfillment;
import dev.waybill.marketplace.domain.FulfillmentRepository;
import dev.waybill.marketplace.domain.Order;
import dev.waybill.marketplace.domain.OrderService;
import dev.waybill.marketplace.domain.Trigger;
import dev.waybill.marketplace.domain.Validation;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Orders over HTTP. A repeat of what already happened changes nothing and returns the order. */
@Tag(name = "Orders")
@RestController
@RequestMapping("/orders")
class OrderController {

    private final OrderService orders;
    private final FulfillmentRepository fulfillments;

    OrderController(OrderService orders, FulfillmentRepository fulfillments) {
        this.orders = orders;
        this.fulfillments = fulfillments;
    }

    @Operation(summary = "Orders a product; of many buyers one gets it")
    @PostMapping
    Answer<Order> create(@RequestBody CreateOrder request) {
        return Answer.ok(orders.create(
                Validation.present("buyerId", request.buyerId()),
                Validation.present("productId", request.productId())));
    }

    @Operation(summary = "An order")
    @GetMapping("/{id}")
    Answer<Order> find(@PathVariable String id) {
        return Answer.ok(orders.find(Ids.read(id)));
    }

    @Operation(summary = "Pays a pending order")
    @PostMapping("/{id}/pay")
    Answer<Order> pay(@PathVariable String id) {
        return move(id, Trigger.PAY);
    }

    @Operation(summary = "Ships a paid order")
    @PostMapping("/{id}/ship")
    Answer<Order> ship(@PathVariable String id) {
        return move(id, Trigger.SHIP);
    }

    @Operation(summary = "Completes a shipped order")
    @PostMapping("/{id}/complete")
    Answer<Order> complete(@PathVariable String id) {
        return move(id, Trigger.COMPLETE);
    }

    @Operation(summary = "Cancels a pending order; its product is for sale again")
    @PostMapping("/{id}/cancel")
    Answer<Order> cancel(@PathVariable String id) {
        return move(id, Trigger.CANCEL);
    }

    /** Whether the seller has been asked to send it off. */
    @Operation(summary = "Whether the seller has been asked to send it off")
    @GetMapping("/{id}/fulfillment")
    Answer<Fulfillment> fulfillment(@PathVariable String id) {
        return Answer.ok(fulfillments.find(Ids.read(id)).orElseThrow(() -> new RefusedException(Code.NOT_FOUND)));
    }

    private Answer<Order> move(String id, Trigger trigger) {
        return Answer.ok(orders.move(Ids.read(id), trigger));
    }
}
