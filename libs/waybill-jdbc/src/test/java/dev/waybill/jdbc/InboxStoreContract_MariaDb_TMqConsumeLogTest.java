package dev.waybill.jdbc;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.InboxStoreContract;

@Servers(Server.MARIADB)
class InboxStoreContract_MariaDb_TMqConsumeLogTest extends InboxStoreContract {

    InboxStoreContract_MariaDb_TMqConsumeLogTest(MariaDb server) {
        super(JdbcInboxFixture.on(server, TestInbox.T_MQ_CONSUME_LOG));
    }
}
