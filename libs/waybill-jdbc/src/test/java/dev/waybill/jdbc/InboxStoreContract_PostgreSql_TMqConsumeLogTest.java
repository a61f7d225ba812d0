package dev.waybill.jdbc;

import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.InboxStoreContract;

@Servers(Server.POSTGRESQL)
class InboxStoreContract_PostgreSql_TMqConsumeLogTest extends InboxStoreContract {

    InboxStoreContract_PostgreSql_TMqConsumeLogTest(PostgreSql server) {
        super(JdbcInboxFixture.on(server, TestInbox.T_MQ_CONSUME_LOG));
    }
}
