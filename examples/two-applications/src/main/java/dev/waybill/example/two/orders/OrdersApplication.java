package dev.waybill.example.two.orders;

import dev.waybill.outbox.Outbox;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders. It knows neither a broker nor who consumes. */
@SpringBootApplication
public class OrdersApplication {

    public static void main(String... arguments) {
        start(arguments).getBean(Orders.class).place("ORD-1");
    }

    /** The profile says which broker: {@code --spring.profiles.active=rabbitmq} or {@code rocketmq}. */
    public static ConfigurableApplicationContext start(String... arguments) {
        return new SpringApplicationBuilder(OrdersApplication.class)
                .properties("spring.config.name=orders")
                .run(arguments);
    }

    /** What the other application reads. */
    record OrderCreated(String orderNo) {}

    /** The orders, each with its event. */
    @Service
    public static class Orders {

        private final JdbcClient jdbc;
        private final Outbox outbox;

        Orders(JdbcClient jdbc, Outbox outbox) {
            this.jdbc = jdbc;
            this.outbox = outbox;
        }

        // example:orders
        @Transactional
        public void place(String orderNo) {
            jdbc.sql("INSERT INTO orders (order_no) VALUES (?)").param(orderNo).update();
            outbox.publish("OrderCreated", new OrderCreated(orderNo));
        }
        // /example:orders
    }
}
