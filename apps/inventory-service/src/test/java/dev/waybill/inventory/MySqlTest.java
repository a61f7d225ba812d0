package dev.waybill.inventory;

import dev.waybill.servers.MySql;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On MySQL in place of MariaDB. */
@Servers({Server.MYSQL, Server.REDIS, Server.ROCKETMQ})
class MySqlTest implements GatePromises {

    private static RunningInventory inventory;

    @BeforeAll
    static void start(MySql mySql, Redis redis, RocketMq rocketMq) {
        inventory = RunningInventory.start(
                RealServers.of(mySql.freshDatabase(), redis, rocketMq, 7).settings());
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
