package dev.waybill.jdbc;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.OutboxStoreContract;

@Servers(Server.MARIADB)
class OutboxStoreContract_MariaDb_TOutboxEventTest extends OutboxStoreContract {

    OutboxStoreContract_MariaDb_TOutboxEventTest(MariaDb server) {
        super(JdbcOutboxFixture.on(server, TestTable.T_OUTBOX_EVENT));
    }
}
