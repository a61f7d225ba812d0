package dev.waybill.jdbc;

import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.DeadLetterStoreContract;

@Servers(Server.POSTGRESQL)
class DeadLetterStoreContract_PostgreSqlTest extends DeadLetterStoreContract {

    DeadLetterStoreContract_PostgreSqlTest(PostgreSql server) {
        super(JdbcDeadLetterFixture.on(server));
    }
}
