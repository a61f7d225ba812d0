package dev.waybill.jdbc;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.OutboxStoreContract;

@Servers(Server.MARIADB)
class OutboxStoreContract_MariaDb_WaybillTest extends OutboxStoreContract {

    OutboxStoreContract_MariaDb_WaybillTest(MariaDb server) {
        super(JdbcOutboxFixture.on(server, TestTable.WAYBILL));
    }
}
