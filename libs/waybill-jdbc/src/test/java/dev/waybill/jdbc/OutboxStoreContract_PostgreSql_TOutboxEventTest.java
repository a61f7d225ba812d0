package dev.waybill.jdbc;

import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.OutboxStoreContract;

@Servers(Server.POSTGRESQL)
class OutboxStoreContract_PostgreSql_TOutboxEventTest extends OutboxStoreContract {

    OutboxStoreContract_PostgreSql_TOutboxEventTest(PostgreSql server) {
        super(JdbcOutboxFixture.on(server, TestTable.T_OUTBOX_EVENT));
    }
}
