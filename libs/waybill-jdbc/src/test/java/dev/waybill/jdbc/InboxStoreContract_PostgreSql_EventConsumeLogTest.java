package dev.waybill.jdbc;

import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.InboxStoreContract;

@Servers(Server.POSTGRESQL)
class InboxStoreContract_PostgreSql_EventConsumeLogTest extends InboxStoreContract {

    InboxStoreContract_PostgreSql_EventConsumeLogTest(PostgreSql server) {
        super(JdbcInboxFixture.on(server, TestInbox.EVENT_CONSUME_LOG));
    }
}
