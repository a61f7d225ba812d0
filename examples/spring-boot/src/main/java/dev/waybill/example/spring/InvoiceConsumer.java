package dev.waybill.example.spring;

import dev.waybill.example.spring.OrderService.OrderCreated;
import dev.waybill.starter.inbox.WaybillListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;

/** Writes one invoice per order, however often the order's event is delivered. */
@Service
public class InvoiceConsumer {

    private final JdbcTemplate jdbc;

    public InvoiceConsumer(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    // example:consume
    @WaybillListener(topic = "ORDER_TOPIC", group = "invoices", types = "OrderCreated")
    public void write(OrderCreated order) {
        jdbc.update("INSERT INTO invoices (order_no) VALUES (?)", order.orderNo());
    }
    // /example:consume
}
