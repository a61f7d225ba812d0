package dev.waybill.inventory;

import dev.waybill.servers.MySql;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

@Servers({Server.MYSQL, Server.REDIS})
class OrderStatementsOnMySqlTest implements OrderStatements {

    private static RunningInventory inventory;

    @BeforeAll
    static void start(MySql server, Redis redis) {
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
