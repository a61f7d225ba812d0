package dev.waybill.jdbc;

import dev.waybill.servers.PrivateServers;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.DeadLetterStoreContract;
import org.junit.jupiter.api.Nested;

/** The dead-letter store's contract on every database. */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL})
class DeadLetterStoreContractTest {

    private final PrivateServers servers;

    DeadLetterStoreContractTest(PrivateServers servers) {
        this.servers = servers;
    }

    @Nested
    class MariaDb extends DeadLetterStoreContract {
        MariaDb() {
            super(new JdbcDeadLetterFixture(servers.mariaDb().freshDatabase()));
        }
    }

    @Nested
    class MySql extends DeadLetterStoreContract {
        MySql() {
            super(new JdbcDeadLetterFixture(servers.mySql().freshDatabase()));
        }
    }

    @Nested
    class PostgreSql extends DeadLetterStoreContract {
        PostgreSql() {
            super(new JdbcDeadLetterFixture(servers.postgreSql().freshDatabase()));
        }
    }

    @Nested
    class H2 extends DeadLetterStoreContract {
        H2() {
            super(new JdbcDeadLetterFixture(TestPool.h2()));
        }
    }
}
