package dev.waybill.jdbc;

import dev.waybill.servers.MySql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.OutboxStoreContract;

@Servers(Server.MYSQL)
class OutboxStoreContract_MySql_WaybillTest extends OutboxStoreContract {

    OutboxStoreContract_MySql_WaybillTest(MySql server) {
        super(JdbcOutboxFixture.on(server, TestTable.WAYBILL));
    }
}
