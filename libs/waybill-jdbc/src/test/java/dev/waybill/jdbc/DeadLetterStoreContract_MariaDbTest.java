package dev.waybill.jdbc;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.DeadLetterStoreContract;

@Servers(Server.MARIADB)
class DeadLetterStoreContract_MariaDbTest extends DeadLetterStoreContract {

    DeadLetterStoreContract_MariaDbTest(MariaDb server) {
        super(JdbcDeadLetterFixture.on(server));
    }
}
