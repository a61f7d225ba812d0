package dev.waybill.starter.inbox.warehouse;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.outbox.Outbox;
import dev.waybill.starter.inbox.WaybillListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Reserves stock for orders. The queue is its own, and the methods are called through a transaction proxy. */
@Transactional
public class Stock {

    /** An order, and how often its handling fails before it works. */
    public record OrderCreated(
            @JsonProperty(required = true) String orderNo, int failures) {}

    /** What is published about a reservation. */
    public record StockReserved(String orderNo) {}

    private final JdbcTemplate jdbc;
    private final Outbox outbox;
    private final Attempts attempts;

    public Stock(JdbcTemplate jdbc, Outbox outbox, Attempts attempts) {
        this.jdbc = jdbc;
        this.outbox = outbox;
        this.attempts = attempts;
    }

    @WaybillListener(queue = "${warehouse.orders}", group = "${warehouse.stock-group}", types = "OrderCreated")
    public void reserve(OrderCreated order, Event event) {
        jdbc.update("INSERT INTO reserved (order_no, event_id) VALUES (?, ?)", order.orderNo(), event.eventId());
        outbox.publish("StockReserved", new StockReserved(order.orderNo()));
        if (attempts.next(event.eventId()) <= order.failures()) {
            throw new IllegalStateException("the shelf is locked");
        }
    }

    @WaybillListener(queue = "${warehouse.orders}", group = "${warehouse.stock-group}", types = "OrderCanceled")
    public HandlerResult release(Event event) {
        attempts.next(event.eventId());
        return HandlerResult.ignored("NOTHING_RESERVED");
    }

    @WaybillListener(queue = "${warehouse.orders}", group = "${warehouse.stock-group}", types = "OrderSwallowed")
    public void swallow(String json, Event event) {
        attempts.next(event.eventId());
        jdbc.update("INSERT INTO reserved (order_no, event_id) VALUES (?, ?)", json, event.eventId());
        try {
            jdbc.update("INSERT INTO reserved (order_no, event_id) VALUES (NULL, NULL)");
        } catch (RuntimeException e) {
            return; // the mistake under test: on PostgreSQL the transaction can no longer commit
        }
    }
}
