package dev.waybill.jdbc;

import dev.waybill.servers.MySql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.InboxStoreContract;

@Servers(Server.MYSQL)
class InboxStoreContract_MySql_WaybillTest extends InboxStoreContract {

    InboxStoreContract_MySql_WaybillTest(MySql server) {
        super(JdbcInboxFixture.on(server, TestInbox.WAYBILL));
    }
}
