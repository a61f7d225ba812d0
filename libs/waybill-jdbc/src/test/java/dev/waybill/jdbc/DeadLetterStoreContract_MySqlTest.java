package dev.waybill.jdbc;

import dev.waybill.servers.MySql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.DeadLetterStoreContract;

@Servers(Server.MYSQL)
class DeadLetterStoreContract_MySqlTest extends DeadLetterStoreContract {

    DeadLetterStoreContract_MySqlTest(MySql server) {
        super(JdbcDeadLetterFixture.on(server));
    }
}
