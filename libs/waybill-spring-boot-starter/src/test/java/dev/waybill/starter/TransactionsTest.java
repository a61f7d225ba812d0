package dev.waybill.starter;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.starter.shop.BusinessCode;
import dev.waybill.starter.shop.RunningShop;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** Every transaction manager on every database. */
@Servers({Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ})
class TransactionsTest {

    @Nested
    class JdbcOnMariaDb extends JdbcTransactions {

        @BeforeAll
        void start(MariaDb server, RabbitMq rabbitMq) throws Exception {
            running = RunningShop.start(server, rabbitMq, RunningShop.WITHOUT_JPA);
        }
    }

    @Nested
    class JdbcOnPostgreSql extends JdbcTransactions {

        @BeforeAll
        void start(PostgreSql server, RabbitMq rabbitMq) throws Exception {
            running = RunningShop.start(server, rabbitMq, RunningShop.WITHOUT_JPA);
        }
    }

    @Nested
    class JpaOnMariaDb extends JpaTransactions {

        @BeforeAll
        void start(MariaDb server, RabbitMq rabbitMq) throws Exception {
            running = RunningShop.start(server, rabbitMq);
        }
    }

    @Nested
    class JpaOnPostgreSql extends JpaTransactions {

        @BeforeAll
        void start(PostgreSql server, RabbitMq rabbitMq) throws Exception {
            running = RunningShop.start(server, rabbitMq);
        }
    }

    /** JDBC's transaction manager, which has savepoints. */
    abstract static class JdbcTransactions extends ShopFixture implements SavepointPromises {

        @Override
        public Stream<BusinessCode> codes() {
            return Stream.of(BusinessCode.JDBC, BusinessCode.MYBATIS);
        }
    }

    /** JPA's transaction manager, for business code of every kind. */
    abstract static class JpaTransactions extends ShopFixture implements TransactionPromises {

        @Override
        public Stream<BusinessCode> codes() {
            return Stream.of(BusinessCode.values());
        }
    }

    abstract static class ShopFixture {

        RunningShop running;

        public RunningShop running() {
            return running;
        }

        @AfterAll
        void stop() throws IOException {
            running.close();
        }
    }
}
