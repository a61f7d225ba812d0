package dev.waybill.jdbc;

import dev.waybill.servers.PrivateServers;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.OutboxStoreContract;
import org.junit.jupiter.api.Nested;

/** The outbox store's contract on every layout and every database. */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL})
class OutboxStoreContractTest {

    private final PrivateServers servers;

    OutboxStoreContractTest(PrivateServers servers) {
        this.servers = servers;
    }

    @Nested
    class MariaDb_Waybill extends OutboxStoreContract {
        MariaDb_Waybill() {
            super(new JdbcOutboxFixture(servers.mariaDb().freshDatabase(), TestTable.WAYBILL));
        }
    }

    @Nested
    class MySql_Waybill extends OutboxStoreContract {
        MySql_Waybill() {
            super(new JdbcOutboxFixture(servers.mySql().freshDatabase(), TestTable.WAYBILL));
        }
    }

    @Nested
    class PostgreSql_Waybill extends OutboxStoreContract {
        PostgreSql_Waybill() {
            super(new JdbcOutboxFixture(servers.postgreSql().freshDatabase(), TestTable.WAYBILL));
        }
    }

    @Nested
    class H2_Waybill extends OutboxStoreContract {
        H2_Waybill() {
            super(new JdbcOutboxFixture(TestPool.h2(), TestTable.WAYBILL));
        }
    }

    @Nested
    class MariaDb_Partitions extends OutboxStoreContract {
        MariaDb_Partitions() {
            super(JdbcOutboxFixture.inPartitions(servers.mariaDb().freshDatabase()));
        }
    }

    @Nested
    class MySql_Partitions extends OutboxStoreContract {
        MySql_Partitions() {
            super(JdbcOutboxFixture.inPartitions(servers.mySql().freshDatabase()));
        }
    }

    @Nested
    class PostgreSql_Partitions extends OutboxStoreContract {
        PostgreSql_Partitions() {
            super(JdbcOutboxFixture.inPartitions(servers.postgreSql().freshDatabase()));
        }
    }

    @Nested
    class MariaDb_TOutboxEvent extends OutboxStoreContract {
        MariaDb_TOutboxEvent() {
            super(new JdbcOutboxFixture(servers.mariaDb().freshDatabase(), TestTable.T_OUTBOX_EVENT));
        }
    }

    @Nested
    class MySql_TOutboxEvent extends OutboxStoreContract {
        MySql_TOutboxEvent() {
            super(new JdbcOutboxFixture(servers.mySql().freshDatabase(), TestTable.T_OUTBOX_EVENT));
        }
    }

    @Nested
    class PostgreSql_TOutboxEvent extends OutboxStoreContract {
        PostgreSql_TOutboxEvent() {
            super(new JdbcOutboxFixture(servers.postgreSql().freshDatabase(), TestTable.T_OUTBOX_EVENT));
        }
    }

    @Nested
    class H2_TOutboxEvent extends OutboxStoreContract {
        H2_TOutboxEvent() {
            super(new JdbcOutboxFixture(TestPool.h2(), TestTable.T_OUTBOX_EVENT));
        }
    }

    @Nested
    class MariaDb_OutboxEvent extends OutboxStoreContract {
        MariaDb_OutboxEvent() {
            super(new JdbcOutboxFixture(servers.mariaDb().freshDatabase(), TestTable.OUTBOX_EVENT));
        }
    }

    @Nested
    class MySql_OutboxEvent extends OutboxStoreContract {
        MySql_OutboxEvent() {
            super(new JdbcOutboxFixture(servers.mySql().freshDatabase(), TestTable.OUTBOX_EVENT));
        }
    }

    @Nested
    class PostgreSql_OutboxEvent extends OutboxStoreContract {
        PostgreSql_OutboxEvent() {
            super(new JdbcOutboxFixture(servers.postgreSql().freshDatabase(), TestTable.OUTBOX_EVENT));
        }
    }

    @Nested
    class H2_OutboxEvent extends OutboxStoreContract {
        H2_OutboxEvent() {
            super(new JdbcOutboxFixture(TestPool.h2(), TestTable.OUTBOX_EVENT));
        }
    }

    @Nested
    class MariaDb_OutboxEvents extends OutboxStoreContract {
        MariaDb_OutboxEvents() {
            super(new JdbcOutboxFixture(servers.mariaDb().freshDatabase(), TestTable.OUTBOX_EVENTS));
        }
    }

    @Nested
    class MySql_OutboxEvents extends OutboxStoreContract {
        MySql_OutboxEvents() {
            super(new JdbcOutboxFixture(servers.mySql().freshDatabase(), TestTable.OUTBOX_EVENTS));
        }
    }

    @Nested
    class PostgreSql_OutboxEvents extends OutboxStoreContract {
        PostgreSql_OutboxEvents() {
            super(new JdbcOutboxFixture(servers.postgreSql().freshDatabase(), TestTable.OUTBOX_EVENTS));
        }
    }

    @Nested
    class H2_OutboxEvents extends OutboxStoreContract {
        H2_OutboxEvents() {
            super(new JdbcOutboxFixture(TestPool.h2(), TestTable.OUTBOX_EVENTS));
        }
    }

    @Nested
    class MariaDb_LedgerEvents extends OutboxStoreContract {
        MariaDb_LedgerEvents() {
            super(new JdbcOutboxFixture(servers.mariaDb().freshDatabase(), TestTable.EVENTS));
        }
    }

    @Nested
    class MySql_LedgerEvents extends OutboxStoreContract {
        MySql_LedgerEvents() {
            super(new JdbcOutboxFixture(servers.mySql().freshDatabase(), TestTable.EVENTS));
        }
    }

    @Nested
    class PostgreSql_LedgerEvents extends OutboxStoreContract {
        PostgreSql_LedgerEvents() {
            super(new JdbcOutboxFixture(servers.postgreSql().freshDatabase(), TestTable.EVENTS));
        }
    }

    @Nested
    class H2_LedgerEvents extends OutboxStoreContract {
        H2_LedgerEvents() {
            super(new JdbcOutboxFixture(TestPool.h2(), TestTable.EVENTS));
        }
    }
}
