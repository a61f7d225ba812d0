package dev.waybill.inventory;

import static dev.waybill.inventory.RunningInventory.canceled;
import static dev.waybill.inventory.RunningInventory.created;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inventory.domain.InventoryCheckpoints.Place;
import dev.waybill.inventory.domain.StockGate;
import dev.waybill.inventory.domain.StockGate.View;
import dev.waybill.inventory.domain.StockKey;
import dev.waybill.message.Event;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One order, whose process dies at every step between Redis and the database, in both directions. Nobody comes to help. */
@Servers({Server.MARIADB, Server.REDIS, Server.ROCKETMQ})
@Tag("kill")
class CrashTest {

    private final String order = "ORD" + UUID.randomUUID();
    private final String sku = "SKU-" + UUID.randomUUID();
    private final Event created = created(order, sku, 4);
    private final Event canceled = canceled(order, sku, 4);

    @Test
    void anOrderWhoseProcessDiesAtEveryStepIsReservedOnceAndReleasedOnce(
            MariaDb mariaDb, Redis redis, RocketMq rocketMq, ChildJvms jvms) {
        RealServers servers = RealServers.of(mariaDb.freshDatabase(), redis, rocketMq, 6);
        try (RunningInventory onlooker = RunningInventory.start(idle(servers))) {
            onlooker.receive(sku, 10);
            onlooker.sendTo(servers.orderTopic(), List.of(created));

            awaitDeath(Place.GATE_RESERVED, doomed(Place.GATE_RESERVED, servers, jvms));
            assertThat(onlooker.available(sku)).isEqualTo(10);
            assertThat(view(onlooker)).as("the hold outlives its process").isEqualTo(new View(10, 4, 1));

            awaitDeath(Place.DB_WRITTEN, doomed(Place.DB_WRITTEN, servers, jvms));
            assertThat(onlooker.available(sku)).isEqualTo(10);
            assertThat(view(onlooker).held())
                    .as("the repeated message holds the same, once")
                    .isEqualTo(4);

            awaitDeath(Place.DB_COMMITTED, doomed(Place.DB_COMMITTED, servers, jvms));
            assertThat(onlooker.available(sku)).isEqualTo(6);
            assertThat(view(onlooker))
                    .as("the gate has not heard of the commit")
                    .isEqualTo(new View(10, 4, 1));

            ChildJvm last = doomed(Place.RELEASE_COMMITTED, servers, jvms);
            onlooker.untilGateAgrees(sku);
            assertThat(view(onlooker)).as("its reconciler has seen to it").isEqualTo(new View(6, 0, 2));
            assertThat(onlooker.answer(order).type()).isEqualTo("StockReserved");
            onlooker.sendTo(servers.orderTopic(), List.of(canceled));
            awaitDeath(Place.RELEASE_COMMITTED, last);
            assertThat(onlooker.available(sku)).isEqualTo(10);
            assertThat(view(onlooker))
                    .as("the gate has not heard of the release")
                    .isEqualTo(new View(6, 0, 2));

            try (RunningInventory survivor = RunningInventory.start(servers.settings())) {
                survivor.untilGateAgrees(sku);
                assertThat(survivor.available(sku)).isEqualTo(10);
                assertThat(survivor.reserved(sku)).isZero();
                assertThat(survivor.consumeLog(created)).isEqualTo("SUCCESS");
                assertThat(survivor.consumeLog(canceled)).isEqualTo("SUCCESS");
                assertThat(survivor.count("SELECT count(*) FROM t_inventory_txn WHERE biz_key = ?", order))
                        .isEqualTo(2);
                assertThat(survivor.count("SELECT count(*) FROM t_outbox_event WHERE biz_key = ?", order))
                        .isEqualTo(1);
            }
        }
    }

    /** Receives stock and looks at the gate, but hears of no order and compares nothing after its start. */
    private static Map<String, Object> idle(RealServers servers) {
        Map<String, Object> settings = new HashMap<>(servers.settings());
        settings.put("inventory.order-topic", servers.stockTopic());
        settings.put("inventory.group", "idle-" + servers.own());
        settings.put("inventory.reconcile.interval", "1h");
        return settings;
    }

    private static ChildJvm doomed(Place place, RealServers servers, ChildJvms jvms) {
        return jvms.start(ChildJvm.of(CrashingInventory.class)
                .jvmOptions("-D" + CrashingInventory.PLACE + "=" + place, "-XX:TieredStopAtLevel=1")
                .arguments(RunningInventory.arguments(servers.settings())));
    }

    private static void awaitDeath(Place place, ChildJvm doomed) {
        assertThat(doomed.waitForExit(RunningInventory.PATIENCE)).isEqualTo(CrashingInventory.EXIT_STATUS);
        assertThat(doomed.lines()).anyMatch(line -> line.contains("process dies at " + place));
    }

    private View view(RunningInventory onlooker) {
        return onlooker.bean(StockGate.class).look(new StockKey(1, sku)).orElseThrow();
    }
}
