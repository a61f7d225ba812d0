package dev.waybill.inventory.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inventory.RunningInventory;
import dev.waybill.inventory.SentStatements;
import dev.waybill.redis.RedisLink;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servicetestkit.CapturedLog;
import dev.waybill.servicetestkit.ServiceSettings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;

/** The service with many SKUs, whose rows nobody has changed for long, and a Redis database of its own. */
final class StockedInventory implements AutoCloseable {

    final RunningInventory service;
    final RedisCommands<String, String> redis;
    private final RedisClient client;
    private final String redisUrl;

    StockedInventory(MariaDb mariaDb, Redis redis, int redisDatabase, int skus, String... changes) {
        this.redisUrl = redis.url() + "/" + redisDatabase;
        this.client = RedisClient.create(redisUrl);
        this.redis = client.connect().sync();
        this.redis.flushdb();
        this.service = RunningInventory.start(
                ServiceSettings.onDatabase(mariaDb.freshDatabase())
                        .redis(redisUrl)
                        .set("waybill.broker", "memory")
                        .set("inventory.reconcile.interval", "1h")
                        .change(changes),
                SentStatements.Counted.class);
        service.update(
                "INSERT INTO t_inventory SELECT 1, LPAD(seq, 8, '0'), 100, 0, 1, '2026-01-01', '2026-01-01' FROM seq_1_to_"
                        + skus);
    }

    static StockKey key(int number) {
        return new StockKey(1, "%08d".formatted(number));
    }

    StockGate gate() {
        return service.bean(StockGate.class);
    }

    /** A gate that is not the service's, as another process has it. */
    StockGate gateOfAnother(Duration lease) {
        return new StockGate(new RedisLink(redisUrl, Duration.ofSeconds(10)), "inv:", lease);
    }

    Findings pass() {
        return service.bean(StockReconciler.class).pass();
    }

    /** What the reconciler says meanwhile about what it repaired, above DEBUG. */
    List<String> linesOf(Runnable step) {
        try (CapturedLog log = new CapturedLog()) {
            step.run();
            return log.lines().stream()
                    .filter(line -> line.contains("[Reconciler] repaired") && !line.startsWith("DEBUG"))
                    .toList();
        }
    }

    List<String> statementsOf(Runnable step) {
        SentStatements statements = service.bean(SentStatements.class);
        statements.forget();
        step.run();
        return statements.sent();
    }

    void assertGateHas(StockKey key, long available, long held) {
        StockGate.View view = gate().look(key).orElseThrow();
        assertThat(view.available()).as("%s", key).isEqualTo(available);
        assertThat(view.held()).as("held of %s", key).isEqualTo(held);
    }

    @Override
    public void close() {
        service.close();
        client.shutdown();
    }
}
