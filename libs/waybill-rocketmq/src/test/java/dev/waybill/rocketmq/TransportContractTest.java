package dev.waybill.rocketmq;

import dev.waybill.servers.PrivateServers;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.TransportContract;
import dev.waybill.testkit.TransportFixture;
import org.junit.jupiter.api.Nested;

/** The transport's contract on RocketMQ. */
@Servers(Server.ROCKETMQ)
class TransportContractTest {

    private final PrivateServers servers;

    TransportContractTest(PrivateServers servers) {
        this.servers = servers;
    }

    @Nested
    class RocketMq extends TransportContract {
        @Override
        protected TransportFixture freshFixture() {
            return new RocketMqFixture(servers.rocketMq());
        }
    }
}
