package dev.waybill.inventory;

import static dev.waybill.inventory.RunningInventory.canceled;
import static dev.waybill.inventory.RunningInventory.created;
import static org.assertj.core.api.Assertions.assertThat;

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
import dev.waybill.servicetestkit.InventorySteps.Place;
import dev.waybill.servicetestkit.ServiceSettings;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One order, whose process is halted at every step between Redis and the database, in both directions. */
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
        try (RunningInventory observer = RunningInventory.start(idle(servers))) {
            observer.receive(sku, 10);
            observer.sendTo(servers.topics().orders(), List.of(created));

            awaitHalt(Place.GATE_RESERVED, haltingAt(Place.GATE_RESERVED, withoutReconciler(servers), jvms));
            assertThat(observer.available(sku)).isEqualTo(10);
            assertThat(view(observer)).as("the hold outlives its process").isEqualTo(new View(10, 4, 1));

            awaitHalt(Place.DB_WRITTEN, haltingAt(Place.DB_WRITTEN, withoutReconciler(servers), jvms));
            assertThat(observer.available(sku)).isEqualTo(10);
            assertThat(view(observer).held())
                    .as("the repeated message holds the same, once")
                    .isEqualTo(4);

            awaitHalt(Place.DB_COMMITTED, haltingAt(Place.DB_COMMITTED, withoutReconciler(servers), jvms));
            assertThat(observer.available(sku)).isEqualTo(6);
            assertThat(view(observer))
                    .as("the gate does not know of the commit")
                    .isEqualTo(new View(10, 4, 1));

            ChildJvm last = haltingAt(Place.RELEASE_COMMITTED, servers.settings(), jvms);
            observer.untilGateAgrees(sku);
            assertThat(view(observer))
                    .as("its reconciler has corrected the gate")
                    .isEqualTo(new View(6, 0, 2));
            assertThat(observer.answer(order).type()).isEqualTo("StockReserved");
            observer.sendTo(servers.topics().orders(), List.of(canceled));
            awaitHalt(Place.RELEASE_COMMITTED, last);
            assertThat(observer.available(sku)).isEqualTo(10);
            assertThat(view(observer))
                    .as("the gate does not know of the release")
                    .isEqualTo(new View(6, 0, 2));

            try (RunningInventory restarted = RunningInventory.start(servers.settings())) {
                restarted.untilGateAgrees(sku);
                assertThat(restarted.available(sku)).isEqualTo(10);
                assertThat(restarted.reserved(sku)).isZero();
                assertThat(restarted.consumeLog(created)).isEqualTo("SUCCESS");
                assertThat(restarted.consumeLog(canceled)).isEqualTo("SUCCESS");
                assertThat(restarted.count("SELECT count(*) FROM t_inventory_txn WHERE biz_key = ?", order))
                        .isEqualTo(2);
                assertThat(restarted.count("SELECT count(*) FROM t_outbox_event WHERE biz_key = ?", order))
                        .isEqualTo(1);
            }
        }
    }

    /** Receives stock and reads the gate, but consumes no order and compares nothing after its start. */
    private static ServiceSettings idle(RealServers servers) {
        return withoutReconciler(servers)
                .set("inventory.order-topic", servers.topics().stock())
                .set("inventory.group", "idle-" + servers.topics().own());
    }

    /** Compares nothing after its start: it could correct the gate in the moment between commit and halt. */
    private static ServiceSettings withoutReconciler(RealServers servers) {
        return servers.settings().set("inventory.reconcile.interval", "1h");
    }

    private static ChildJvm haltingAt(Place place, ServiceSettings settings, ChildJvms jvms) {
        return jvms.start(ChildJvm.of(CrashingInventory.class)
                .jvmOptions("-D" + CrashingInventory.PLACE + "=" + place, "-XX:TieredStopAtLevel=1")
                .arguments(settings.set("server.port", 0).arguments()));
    }

    private static void awaitHalt(Place place, ChildJvm halting) {
        assertThat(halting.waitForExit(RunningInventory.PATIENCE)).isEqualTo(CrashingInventory.EXIT_STATUS);
        assertThat(halting.lines()).anyMatch(line -> line.contains("process halts at " + place));
    }

    private View view(RunningInventory observer) {
        return observer.bean(StockGate.class).look(new StockKey(1, sku)).orElseThrow();
    }
}
