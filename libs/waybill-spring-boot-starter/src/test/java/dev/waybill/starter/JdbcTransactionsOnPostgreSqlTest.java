package dev.waybill.starter;

import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.starter.shop.BusinessCode;
import dev.waybill.starter.shop.RunningShop;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** JDBC's transaction manager on PostgreSQL. */
@Servers({Server.POSTGRESQL, Server.RABBITMQ})
class JdbcTransactionsOnPostgreSqlTest implements SavepointPromises {

    private RunningShop running;

    @BeforeAll
    void start(PostgreSql server, RabbitMq rabbitMq) throws Exception {
        running = RunningShop.start(server, rabbitMq, RunningShop.WITHOUT_JPA);
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
        return Stream.of(BusinessCode.JDBC, BusinessCode.MYBATIS);
    }
}
