package dev.waybill.starter;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.starter.shop.BusinessCode;
import dev.waybill.starter.shop.RunningShop;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** JPA's transaction manager on MariaDB, for business code of every kind. */
@Servers({Server.MARIADB, Server.RABBITMQ})
class JpaTransactionsOnMariaDbTest implements TransactionPromises {

    private RunningShop running;

    @BeforeAll
    void start(MariaDb server, RabbitMq rabbitMq) throws Exception {
        running = RunningShop.start(server, rabbitMq);
    }

    @AfterAll
    void stop() throws Exception {
        running.close();
    }

    @Override
    public RunningShop running() {
        return running;
    }

    @Override
    public Stream<BusinessCode> codes() {
        return Stream.of(BusinessCode.values());
    }
}
