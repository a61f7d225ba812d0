package dev.waybill.rabbitmq;

import dev.waybill.message.Destination;
import dev.waybill.servers.RabbitMq;
import dev.waybill.testkit.SubscriptionFixture;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** A virtual host of its own; every route is a queue on one exchange, and all queues share a dead-letter queue. */
record RabbitMqSubscriptionFixture(RabbitMq server, RabbitMqFixture host) implements SubscriptionFixture {

    private static final String DEAD = "order.dlq.queue";

    RabbitMqSubscriptionFixture(RabbitMq server) {
        this(server, new RabbitMqFixture(server));
        host.channel(channel -> {
            channel.exchangeDeclare("order.events.exchange", "topic", true);
            channel.queueDeclare(DEAD, true, false, false, null);
            return channel.queueBind(DEAD, "order.events.exchange", "order.dlq");
        });
    }

    @Override
    public Subscriptions subscriptions() {
        return RabbitMqSubscriptions.builder(host.factory())
                .deadLetters(new DeadLetterRoute.Published("order.events.exchange", "order.dlq", DEAD))
                .longestReconnect(Duration.ofSeconds(1))
                .build();
    }

    @Override
    public Transport transport() {
        return host.transport(Duration.ofSeconds(20));
    }

    @Override
    public Destination freshDestination() {
        return Destination.of("order.events.exchange", "order." + UUID.randomUUID());
    }

    @Override
    public SubscriptionSpec freshSubscription(Destination destination) {
        String queue = "q-" + UUID.randomUUID();
        host.channel(channel -> {
            channel.queueDeclare(queue, true, false, false, null);
            return channel.queueBind(queue, destination.topic(), destination.tag());
        });
        return SubscriptionSpec.of(queue, "group-of-" + queue);
    }

    @Override
    public List<Duration> growingDelays() {
        return List.of(Duration.ofMillis(150), Duration.ofMillis(400));
    }

    @Override
    public void kill() {
        server.kill();
    }

    @Override
    public void revive() {
        server.start();
    }

    @Override
    public void close() {
        host.close();
    }
}
