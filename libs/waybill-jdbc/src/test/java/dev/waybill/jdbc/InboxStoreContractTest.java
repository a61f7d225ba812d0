package dev.waybill.jdbc;

import dev.waybill.servers.PrivateServers;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.InboxStoreContract;
import org.junit.jupiter.api.Nested;

/** The inbox store's contract on every layout and every database. */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL})
class InboxStoreContractTest {

    private final PrivateServers servers;

    InboxStoreContractTest(PrivateServers servers) {
        this.servers = servers;
    }

    @Nested
    class MariaDb_Waybill extends InboxStoreContract {
        MariaDb_Waybill() {
            super(new JdbcInboxFixture(servers.mariaDb().freshDatabase(), TestInbox.WAYBILL));
        }
    }

    @Nested
    class MySql_Waybill extends InboxStoreContract {
        MySql_Waybill() {
            super(new JdbcInboxFixture(servers.mySql().freshDatabase(), TestInbox.WAYBILL));
        }
    }

    @Nested
    class PostgreSql_Waybill extends InboxStoreContract {
        PostgreSql_Waybill() {
            super(new JdbcInboxFixture(servers.postgreSql().freshDatabase(), TestInbox.WAYBILL));
        }
    }

    @Nested
    class H2_Waybill extends InboxStoreContract {
        H2_Waybill() {
            super(new JdbcInboxFixture(JdbcInboxFixture.h2(), TestInbox.WAYBILL));
        }
    }

    @Nested
    class MariaDb_TMqConsumeLog extends InboxStoreContract {
        MariaDb_TMqConsumeLog() {
            super(new JdbcInboxFixture(servers.mariaDb().freshDatabase(), TestInbox.T_MQ_CONSUME_LOG));
        }
    }

    @Nested
    class MySql_TMqConsumeLog extends InboxStoreContract {
        MySql_TMqConsumeLog() {
            super(new JdbcInboxFixture(servers.mySql().freshDatabase(), TestInbox.T_MQ_CONSUME_LOG));
        }
    }

    @Nested
    class PostgreSql_TMqConsumeLog extends InboxStoreContract {
        PostgreSql_TMqConsumeLog() {
            super(new JdbcInboxFixture(servers.postgreSql().freshDatabase(), TestInbox.T_MQ_CONSUME_LOG));
        }
    }

    @Nested
    class H2_TMqConsumeLog extends InboxStoreContract {
        H2_TMqConsumeLog() {
            super(new JdbcInboxFixture(JdbcInboxFixture.h2(), TestInbox.T_MQ_CONSUME_LOG));
        }
    }

    @Nested
    class MariaDb_InboxMessage extends InboxStoreContract {
        MariaDb_InboxMessage() {
            super(new JdbcInboxFixture(servers.mariaDb().freshDatabase(), TestInbox.INBOX_MESSAGE));
        }
    }

    @Nested
    class MySql_InboxMessage extends InboxStoreContract {
        MySql_InboxMessage() {
            super(new JdbcInboxFixture(servers.mySql().freshDatabase(), TestInbox.INBOX_MESSAGE));
        }
    }

    @Nested
    class PostgreSql_InboxMessage extends InboxStoreContract {
        PostgreSql_InboxMessage() {
            super(new JdbcInboxFixture(servers.postgreSql().freshDatabase(), TestInbox.INBOX_MESSAGE));
        }
    }

    @Nested
    class H2_InboxMessage extends InboxStoreContract {
        H2_InboxMessage() {
            super(new JdbcInboxFixture(JdbcInboxFixture.h2(), TestInbox.INBOX_MESSAGE));
        }
    }

    @Nested
    class MariaDb_EventConsumeLog extends InboxStoreContract {
        MariaDb_EventConsumeLog() {
            super(new JdbcInboxFixture(servers.mariaDb().freshDatabase(), TestInbox.EVENT_CONSUME_LOG));
        }
    }

    @Nested
    class MySql_EventConsumeLog extends InboxStoreContract {
        MySql_EventConsumeLog() {
            super(new JdbcInboxFixture(servers.mySql().freshDatabase(), TestInbox.EVENT_CONSUME_LOG));
        }
    }

    @Nested
    class PostgreSql_EventConsumeLog extends InboxStoreContract {
        PostgreSql_EventConsumeLog() {
            super(new JdbcInboxFixture(servers.postgreSql().freshDatabase(), TestInbox.EVENT_CONSUME_LOG));
        }
    }

    @Nested
    class H2_EventConsumeLog extends InboxStoreContract {
        H2_EventConsumeLog() {
            super(new JdbcInboxFixture(JdbcInboxFixture.h2(), TestInbox.EVENT_CONSUME_LOG));
        }
    }
}
