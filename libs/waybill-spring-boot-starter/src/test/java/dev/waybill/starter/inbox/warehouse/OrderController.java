package dev.waybill.starter.inbox.warehouse;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Takes orders over HTTP and publishes them; it knows nothing of traces. */
@RestController
public class OrderController {

    private final Outbox outbox;
    private final Destination orders;

    public OrderController(
            Outbox outbox,
            @Value("${warehouse.exchange}") String exchange,
            @Value("${warehouse.orders}") String queue) {
        this.outbox = outbox;
        this.orders = Destination.of(exchange, queue);
    }

    @PostMapping("/orders/{orderNo}")
    @Transactional
    public String order(@PathVariable("orderNo") String orderNo) {
        return outbox.publish(Event.builder("OrderCreated")
                .payload("{\"orderNo\":\"" + orderNo + "\",\"failures\":0}")
                .destination(orders)
                .build());
    }
}
