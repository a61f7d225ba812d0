package dev.waybill.marketplace.domain;

import dev.waybill.servicekit.UtcTimes;
import java.time.Instant;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Fulfilments in {@code fulfillments}, one for an order. Writes belong to the caller's transaction. */
@Repository
public class FulfillmentRepository {

    private static final String INSERT =
            "INSERT INTO fulfillments (order_id, event_id, status, create_time) VALUES (?, ?, ?, ?)";
    private static final String FIND =
            "SELECT order_id, event_id, status, create_time FROM fulfillments WHERE order_id = ?";
    private static final String SHIPPED = "UPDATE fulfillments SET status = 'shipped' WHERE order_id = ?";

    private final JdbcClient jdbc;

    FulfillmentRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Starts the fulfilment of a paid order, whose row the caller has locked: nobody ships it meanwhile. */
    public void start(Order order, String eventId, Instant now) {
        String status = order.status() == OrderStatus.PAID ? "started" : "shipped";
        jdbc.sql(INSERT)
                .params(order.id(), eventId, status, UtcTimes.column(now))
                .update();
    }

    /** There may be none yet: then it starts as shipped. */
    void shipped(long orderId) {
        jdbc.sql(SHIPPED).param(orderId).update();
    }

    public Optional<Fulfillment> find(long orderId) {
        return jdbc.sql(FIND)
                .param(orderId)
                .query((row, number) -> new Fulfillment(
                        row.getLong("order_id"),
                        row.getString("event_id"),
                        row.getString("status"),
                        UtcTimes.read(row, "create_time")))
                .optional();
    }
}
