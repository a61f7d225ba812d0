package dev.waybill.example.spring;

import dev.waybill.outbox.Outbox;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders. It has no reference to a broker. */
@Service
public class OrderService {

    /** The payload of OrderCreated. */
    public record OrderCreated(String orderNo) {}

    private final JdbcTemplate jdbc;
    private final Outbox outbox;

    public OrderService(JdbcTemplate jdbc, Outbox outbox) {
        this.jdbc = jdbc;
        this.outbox = outbox;
    }

    // example:spring
    @Transactional
    public void place(String orderNo) {
        jdbc.update("INSERT INTO orders (order_no) VALUES (?)", orderNo);
        outbox.publish("OrderCreated", new OrderCreated(orderNo));
    }
    // /example:spring

    /** Publishes, then fails: neither the order nor its event is ever seen. */
    @Transactional
    public void placeAndFail(String orderNo) {
        place(orderNo);
        throw new IllegalStateException("card declined");
    }
}
