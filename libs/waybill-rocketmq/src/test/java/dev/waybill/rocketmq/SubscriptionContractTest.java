package dev.waybill.rocketmq;

import dev.waybill.servers.PrivateServers;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.SubscriptionContract;
import dev.waybill.testkit.SubscriptionFixture;
import org.junit.jupiter.api.Nested;

/** The subscriptions' contract on RocketMQ. */
@Servers(Server.ROCKETMQ)
class SubscriptionContractTest {

    private final PrivateServers servers;

    SubscriptionContractTest(PrivateServers servers) {
        this.servers = servers;
    }

    @Nested
    class RocketMq extends SubscriptionContract {
        @Override
        protected SubscriptionFixture freshFixture() {
            return new RocketMqSubscriptionFixture(servers.rocketMq());
        }
    }
}
