package dev.waybill.rabbitmq;

import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.TransportContract;
import dev.waybill.testkit.TransportFixture;

@Servers(Server.RABBITMQ)
class TransportContract_RabbitMqTest extends TransportContract {

    private final RabbitMq server;

    TransportContract_RabbitMqTest(RabbitMq server) {
        this.server = server;
    }

    @Override
    protected TransportFixture fixture() {
        return new RabbitMqFixture(server);
    }
}
