package dev.waybill.jdbc;

import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.OutboxStoreContract;

@Servers(Server.POSTGRESQL)
class OutboxStoreContract_PostgreSql_OutboxEventsTest extends OutboxStoreContract {

    OutboxStoreContract_PostgreSql_OutboxEventsTest(PostgreSql server) {
        super(JdbcOutboxFixture.on(server, TestTable.OUTBOX_EVENTS));
    }
}
