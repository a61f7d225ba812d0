package dev.waybill.inventory;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

@Servers({Server.MARIADB, Server.REDIS})
class OrderStatementsOnMariaDbTest implements OrderStatements {

    private static RunningInventory inventory;

    @BeforeAll
    static void start(MariaDb server, Redis redis) {
        inventory = OrderStatements.start(server.freshDatabase(), redis);
    }

    @AfterAll
    static void stop() {
        inventory.close();
    }

    @Override
    public RunningInventory inventory() {
        return inventory;
    }
}
