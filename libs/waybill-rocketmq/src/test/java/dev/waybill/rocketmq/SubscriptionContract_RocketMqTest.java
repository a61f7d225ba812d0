package dev.waybill.rocketmq;

import dev.waybill.message.Destination;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.SubscriptionContract;
import dev.waybill.testkit.SubscriptionFixture;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

@Servers(Server.ROCKETMQ)
class SubscriptionContract_RocketMqTest extends SubscriptionContract {

    private final RocketMq server;

    SubscriptionContract_RocketMqTest(RocketMq server) {
        this.server = server;
    }

    @Override
    protected SubscriptionFixture freshFixture() {
        return new Fixture(server, new RocketMqFixture(server));
    }

    /** Every line is a topic of its own; groups are not created beforehand. */
    private record Fixture(RocketMq server, RocketMqFixture topics) implements SubscriptionFixture {

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
        public Line freshLine() {
            Destination destination = topics.freshDestination();
            return new Line(groupOn(destination), destination);
        }

        @Override
        public SubscriptionSpec beside(Line line) {
            return groupOn(line.destination());
        }

        private SubscriptionSpec groupOn(Destination destination) {
            return SubscriptionSpec.of(destination.topic(), "g-" + UUID.randomUUID())
                    .withRetryDelays(growingDelays().subList(0, 1));
        }

        /** The broker's first two levels. */
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
}
