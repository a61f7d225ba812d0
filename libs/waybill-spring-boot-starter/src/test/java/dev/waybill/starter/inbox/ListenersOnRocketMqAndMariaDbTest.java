package dev.waybill.starter.inbox;

import dev.waybill.message.Destination;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.starter.inbox.warehouse.RunningWarehouse;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On JPA's transaction manager. */
@Servers({Server.MARIADB, Server.ROCKETMQ})
class ListenersOnRocketMqAndMariaDbTest implements ListenerPromises {

    private final String own = UUID.randomUUID().toString();
    private RunningWarehouse running;

    @BeforeAll
    void start(MariaDb mariaDb, RocketMq rocketMq) {
        rocketMq.createTopic(ordersSource());
        rocketMq.createTopic(stockSource());
        running = RunningWarehouse.start(
                mariaDb.freshDatabase(),
                Destination.of(ordersSource(), "ORDER"),
                Destination.of(stockSource(), "STOCK_RESERVED"),
                Map.of(
                        "waybill.broker",
                        "rocketmq",
                        "waybill.rocketmq.name-server",
                        rocketMq.nameServer(),
                        "warehouse.orders",
                        ordersSource(),
                        "warehouse.stock",
                        stockSource(),
                        "warehouse.stock-group",
                        "stock-" + own,
                        "warehouse.shipping-group",
                        "shipping-" + own));
    }

    @AfterAll
    void stop() {
        running.close();
    }

    @Override
    public RunningWarehouse running() {
        return running;
    }

    @Override
    public String ordersSource() {
        return "ORDER_TOPIC-" + own;
    }

    @Override
    public String stockSource() {
        return "STOCK_TOPIC-" + own;
    }
}
