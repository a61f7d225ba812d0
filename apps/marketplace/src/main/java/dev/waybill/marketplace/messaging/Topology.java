package dev.waybill.marketplace.messaging;

import dev.waybill.marketplace.domain.TimeoutSettings;
import java.util.ArrayList;
import java.util.List;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.core.TopicExchange;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The exchange, the queues and their bindings, all durable; names and arguments are frozen. Nothing else is declared, and every
 * connection to the broker declares it again.
 */
@Configuration(proxyBeanMethods = false)
class Topology {

    static final String EXCHANGE = "order.events.exchange";
    static final String TIMEOUT = "order.timeout.queue";
    static final String TIMEOUT_DELAY = "order.timeout.delay.queue";
    static final String INVENTORY_UPDATE = "inventory.update.queue";
    static final String FULFILLMENT = "order.fulfillment.queue";
    static final String STATUS_SYNC = "order.status.sync.queue";
    static final String DLQ = "order.dlq.queue";

    /** The consumer's name. There is one, because the consume log has one row for each event. */
    static final String CONSUMER = "marketplace";

    private static final String DEAD = "order.dlq";
    private static final String TIMED_OUT = "order.timeout";

    /** An unpaid order's message waits in the delay queue for the time to pay. */
    @Bean
    Declarables orderTopology(TimeoutSettings timeout) {
        TopicExchange exchange = new TopicExchange(EXCHANGE);
        Queue delay = QueueBuilder.durable(TIMEOUT_DELAY)
                .withArgument("x-message-ttl", timeout.after().toMillis())
                .deadLetterExchange(EXCHANGE)
                .deadLetterRoutingKey(TIMED_OUT)
                .build();
        List<Declarable> all = new ArrayList<>(List.of(exchange));
        add(all, exchange, QueueBuilder.durable(DLQ).build(), DEAD);
        add(all, exchange, consumed(INVENTORY_UPDATE), "order.created");
        add(all, exchange, consumed(FULFILLMENT), "order.paid");
        add(all, exchange, consumed(STATUS_SYNC), "order.status.changed");
        add(all, exchange, consumed(TIMEOUT), TIMED_OUT);
        add(all, exchange, delay, "order.timeout.delay");
        return new Declarables(all);
    }

    private static void add(List<Declarable> all, TopicExchange exchange, Queue queue, String routingKey) {
        // QueueDifference tells of one that is there with other arguments; the rest is declared.
        queue.setIgnoreDeclarationExceptions(true);
        Binding binding = BindingBuilder.bind(queue).to(exchange).with(routingKey);
        all.addAll(List.of(queue, binding));
    }

    private static Queue consumed(String name) {
        return QueueBuilder.durable(name)
                .deadLetterExchange(EXCHANGE)
                .deadLetterRoutingKey(DEAD)
                .build();
    }
}
