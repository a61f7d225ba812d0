package dev.waybill.rocketmq;

import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.TransportContract;
import dev.waybill.testkit.TransportFixture;

@Servers(Server.ROCKETMQ)
class TransportContract_RocketMqTest extends TransportContract {

    private final RocketMq server;

    TransportContract_RocketMqTest(RocketMq server) {
        this.server = server;
    }

    @Override
    protected TransportFixture fixture() {
        return new RocketMqFixture(server);
    }
}
