package dev.waybill.rabbitmq;

import dev.waybill.servers.PrivateServers;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.TransportContract;
import dev.waybill.testkit.TransportFixture;
import org.junit.jupiter.api.Nested;

/** The transport's contract on RabbitMQ. */
@Servers(Server.RABBITMQ)
class TransportContractTest {

    private final PrivateServers servers;

    TransportContractTest(PrivateServers servers) {
        this.servers = servers;
    }

    @Nested
    class RabbitMq extends TransportContract {
        @Override
        protected TransportFixture freshFixture() {
            return new RabbitMqFixture(servers.rabbitMq());
        }
    }
}
