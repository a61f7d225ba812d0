package dev.waybill.example.two.invoices;

import dev.waybill.starter.inbox.WaybillListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** Writes one invoice per order, however often the order's event is delivered. */
@SpringBootApplication
public class InvoicesApplication {

    public static void main(String... arguments) {
        start(arguments);
    }

    /** The profile says which broker, as in the other application. */
    public static ConfigurableApplicationContext start(String... arguments) {
        return new SpringApplicationBuilder(InvoicesApplication.class)
                .properties("spring.config.name=invoices")
                .run(arguments);
    }

    /** What this application needs of the event. */
    public record OrderCreated(String orderNo) {}

    /** The invoices. */
    @Service
    public static class Invoices {

        private final JdbcClient jdbc;

        Invoices(JdbcClient jdbc) {
            this.jdbc = jdbc;
        }

        // example:invoices
        @WaybillListener(topic = "${invoices.source}", group = "invoices", types = "OrderCreated")
        public void write(OrderCreated order) {
            jdbc.sql("INSERT INTO invoices (order_no) VALUES (?)")
                    .param(order.orderNo())
                    .update();
        }
        // /example:invoices
    }
}
