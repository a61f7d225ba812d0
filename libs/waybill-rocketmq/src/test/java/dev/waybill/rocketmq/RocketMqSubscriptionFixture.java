package dev.waybill.rocketmq;

import dev.waybill.message.Destination;
import dev.waybill.servers.RocketMq;
import dev.waybill.testkit.SubscriptionFixture;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Every route is a topic of its own; the broker creates groups when they are first used. */
record RocketMqSubscriptionFixture(RocketMq server, RocketMqFixture topics) implements SubscriptionFixture {

    RocketMqSubscriptionFixture(RocketMq server) {
        this(server, new RocketMqFixture(server));
    }

    @Override
    public Subscriptions subscriptions() {
        return RocketMqSubscriptions.builder(server.nameServer())
                .pollNameServer(Duration.ofSeconds(1))
                .build();
    }

    @Override
    public Transport transport() {
        return topics.transport(Duration.ofSeconds(20));
    }

    @Override
    public Destination freshDestination() {
        return topics.freshDestination();
    }

    @Override
    public SubscriptionSpec freshSubscription(Destination destination) {
        return SubscriptionSpec.of(destination.topic(), "g-" + UUID.randomUUID());
    }

    /** The broker's two shortest delay levels. */
    @Override
    public List<Duration> growingDelays() {
        return List.of(Duration.ofSeconds(1), Duration.ofSeconds(5));
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
        topics.close();
    }
}
