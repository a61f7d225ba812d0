package dev.waybill.flows.rights;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.RabbitMqVhost;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** As {@code ./dev run --real} starts the services. */
@Servers({Server.MARIADB, Server.REDIS, Server.ROCKETMQ, Server.RABBITMQ})
class WhoMayDoWhatOnRealServersTest extends WhoMayDoWhat {

    private static RabbitMqVhost rabbit;
    private static ThreeServices services;

    @BeforeAll
    static void start(MariaDb sql, Redis redis, RocketMq rocketMq, RabbitMq rabbitMq) throws IOException {
        rabbit = RabbitMqVhost.open(rabbitMq);
        services = ThreeServices.real(sql, redis, rocketMq, rabbit);
    }

    @AfterAll
    static void stop() throws IOException {
        services.close();
        rabbit.close();
    }

    @Override
    ThreeServices services() {
        return services;
    }
}
