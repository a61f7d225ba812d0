package dev.waybill.inventory.domain;

import static dev.waybill.inventory.domain.StockedInventory.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.inventory.domain.StockComparison.Verdict;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionTemplate;

/** The reconciler at twenty thousand SKUs, pass by pass: what it costs, what it finds, what it says. */
@Servers({Server.MARIADB, Server.REDIS})
class StockReconcilerTest {

    private static final int SKUS = 20_000;
    private static final int BATCH = 1_000;

    /** The walk begins with the first keys and is far away from these. */
    private static final StockKey FAR = key(SKUS - 7);

    private static StockedInventory inventory;

    @BeforeAll
    static void start(MariaDb mariaDb, Redis redis) {
        inventory = new StockedInventory(mariaDb, redis, 8, SKUS);
    }

    @AfterAll
    static void stop() {
        inventory.close();
    }

    @BeforeEach
    void repair() {
        inventory.service.update(
                "UPDATE t_inventory SET available = 100, version = 1, updated_at = '2026-01-01' WHERE version > 1");
        inventory.redis.flushdb();
        assertThat(inventory.pass().compared()).isEqualTo(SKUS);
    }

    @Test
    void aFlushedGateIsRepairedByThePassThatSeesItAndSummedUpInOneLine() {
        inventory.redis.flushdb();
        List<String> lines = inventory.linesOf(() -> assertThat(inventory.statementsOf(inventory::pass))
                .as("a statement a page")
                .hasSize(SKUS / BATCH + 1));
        assertThat(lines)
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("INFO")
                        .contains("repaired everything compared=20000 lost=20000 behind=0 drifted=0")
                        .contains("oldest=2026-01-01T00:00:00Z costMs="));
        inventory.assertGateHas(FAR, 100, 0);
        assertThat(inventory.linesOf(inventory::pass)).isEmpty();
    }

    @Test
    void anIdlePassCostsTwoStatementsAndAPageOfRowsHoweverManyThereAre() {
        for (int pass = 0; pass < 3; pass++) {
            assertThat(inventory.statementsOf(
                            () -> assertThat(inventory.pass().compared()).isLessThanOrEqualTo(BATCH)))
                    .hasSizeLessThanOrEqualTo(2);
        }
    }

    @Test
    void aCommitThatTheGateWasNotToldOfIsFoundByTheNextPass() {
        committedByAProcessThatDied(FAR);
        assertThat(inventory.pass().count(Verdict.BEHIND)).isOne();
        inventory.assertGateHas(FAR, 90, 0);
    }

    @Test
    void aTransactionThatCommitsAfterALaterPassIsFoundAllTheSame() {
        inventory.service.bean(TransactionTemplate.class).executeWithoutResult(transaction -> {
            committedByAProcessThatDied(FAR);
            Thread other = new Thread(inventory::pass);
            other.start();
            await().until(() -> !other.isAlive());
        });
        inventory.assertGateHas(FAR, 100, 0);
        inventory.pass();
        inventory.assertGateHas(FAR, 90, 0);
    }

    /** As when Redis comes back from a snapshot: levels and progress are both older. */
    @Test
    void aGateThatWasSetBackIsComparedWithWhatChangedSince() {
        inventory.pass();
        StockGate.View before = inventory.gate().look(FAR).orElseThrow();
        String progress = inventory.redis.hget("inv:compared", "until");
        committedByAProcessThatDied(FAR);
        inventory.pass();
        inventory.redis.hset("inv:" + FAR, "available", Long.toString(before.available()));
        inventory.redis.hset("inv:" + FAR, "version", Long.toString(before.version()));
        inventory.redis.hset("inv:compared", "until", progress);
        inventory.pass();
        inventory.assertGateHas(FAR, before.available() - 10, 0);
    }

    @Test
    void theHoldOfADeadProcessIsFoundByItsLeaseAndToldInOneLine() {
        try (StockGate dead = inventory.gateOfAnother(Duration.ofMillis(1))) {
            dead.tryReserve(new OrderLines("DEAD", List.of(new Line(FAR, 3), new Line(key(SKUS), 4))));
        }
        List<String> lines = inventory.linesOf(() -> await().untilAsserted(() -> {
            inventory.pass();
            inventory.assertGateHas(FAR, inventory.service.available(FAR.skuId()), 0);
        }));
        assertThat(lines)
                .singleElement()
                .satisfies(line -> assertThat(line).startsWith("WARN").contains("repaired compared=", " abandoned=2 "));
        inventory.assertGateHas(key(SKUS), 100, 0);
    }

    @Test
    void whatSomebodyDidToTheGateIsFoundByTheWalk() {
        inventory.redis.hset("inv:" + FAR, "available", "7");
        inventory.redis.del("inv:" + key(SKUS / 2));
        List<String> lines = inventory.linesOf(() -> {
            for (int page = 0; page <= SKUS / BATCH + 1; page++) {
                inventory.pass();
            }
        });
        assertThat(lines)
                .hasSize(2)
                .anyMatch(line -> line.contains("drifted=1"))
                .anyMatch(line -> line.contains("lost=1"));
        inventory.assertGateHas(FAR, inventory.service.available(FAR.skuId()), 0);
        inventory.assertGateHas(key(SKUS / 2), 100, 0);
    }

    @Test
    void aDatabaseThatWasRestoredIsFollowed() {
        StockLevel later = new StockLevel(key(5), 3, 0, 99, Instant.EPOCH);
        inventory.gate().learn(List.of(later));
        for (int page = 0; page <= SKUS / BATCH + 1; page++) {
            inventory.pass();
        }
        inventory.assertGateHas(key(5), 100, 0);
    }

    @Test
    void aLossDuringARepairBeginsItAnew() {
        inventory.redis.flushdb();
        try (StockGate another = inventory.gateOfAnother(Duration.ofMinutes(1))) {
            assertThat(another.progress("another")).isEqualTo(new Progress.RepairAll());
            assertThat(inventory.pass().compared()).as("another one repairs").isZero();
            inventory.redis.flushdb();
            assertThat(another.repairing("another")).isFalse();
            another.compared("another", Instant.now());
        }
        assertThat(inventory.pass().count(Verdict.LOST)).isEqualTo(SKUS);
    }

    private static void committedByAProcessThatDied(StockKey key) {
        inventory.service.update(
                "UPDATE t_inventory SET available = available - 10, version = version + 1, updated_at = ?"
                        + " WHERE warehouse_id = ? AND sku_id = ?",
                LocalDateTime.now(ZoneOffset.UTC),
                key.warehouseId(),
                key.skuId());
    }
}
