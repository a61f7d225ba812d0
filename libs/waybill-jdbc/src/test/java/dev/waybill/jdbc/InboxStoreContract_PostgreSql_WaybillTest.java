package dev.waybill.jdbc;

import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.InboxStoreContract;

@Servers(Server.POSTGRESQL)
class InboxStoreContract_PostgreSql_WaybillTest extends InboxStoreContract {

    InboxStoreContract_PostgreSql_WaybillTest(PostgreSql server) {
        super(JdbcInboxFixture.on(server, TestInbox.WAYBILL));
    }
}
