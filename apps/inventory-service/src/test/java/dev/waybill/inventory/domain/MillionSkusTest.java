package dev.waybill.inventory.domain;

import static dev.waybill.inventory.domain.StockedInventory.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.inventory.SentStatements;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The reconciler at a million SKUs, with the settings that it has by default. */
@Servers({Server.MARIADB, Server.REDIS})
@Tag("bench")
class MillionSkusTest {

    private static final int SKUS = 1_000_000;
    private static final Duration IDLE = Duration.ofSeconds(30);

    @Test
    void anIdleReconcilerCostsTwoStatementsASecondAtMostAndAFlushIsRepairedInOneLine(MariaDb mariaDb, Redis redis) {
        try (StockedInventory inventory =
                new StockedInventory(mariaDb, redis, 8, SKUS, "inventory.reconcile.interval=2s")) {
            SentStatements statements = inventory.service.bean(SentStatements.class);
            for (String round : List.of("first start", "flushed")) {
                List<String> lines = inventory.linesOf(() -> {
                    inventory.redis.flushdb();
                    await().atMost(Duration.ofMinutes(10))
                            .until(() -> inventory.redis.hget("inv:compared", "until") != null);
                });
                assertThat(lines)
                        .singleElement()
                        .satisfies(
                                line -> assertThat(line).contains("repaired everything compared=1000000 lost=1000000"));
                Scenario.print("[" + round + "] " + lines.get(0));
                inventory.assertGateHas(key(SKUS), 100, 0);
            }
            statements.forget();
            await().pollDelay(IDLE).atMost(IDLE.plusSeconds(10)).until(() -> true);
            int sent = statements.sent().size();
            Scenario.print("[idle] " + sent + " statements in " + IDLE.toSeconds() + " s");
            assertThat(sent).isPositive().isLessThanOrEqualTo((int) (2 * IDLE.toSeconds()));
        }
    }
}
