package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A table that was there before Waybill, half filled by plain INSERTs, is drained by two relays while sends fail with
 * 3,000-character errors; one relay is frozen past its lease and thawed.
 */
@Servers({Server.MARIADB, Server.RABBITMQ})
@Tag("kill")
class AdoptionTest {

    private static final int HALF = 1_500;
    private static final int LEASE_MS = 2_000;

    @ParameterizedTest
    @EnumSource
    void anExistingTableIsDrainedByTwoRelaysOneOfThemFrozenPastItsLease(
            SeedLayout layout, MariaDb sql, RabbitMq broker, ChildJvms jvms) {
        try (Stage stage = Stage.onSeedTable(layout, sql, broker)) {
            stage.executeAll(IntStream.rangeClosed(1, HALF)
                    .mapToObj(layout::foreignInsert)
                    .toList());
            stage.fill(HALF);
            NodeSpec spec = stage.spec
                    .with("leaseMs", LEASE_MS)
                    .with("retryMs", 300)
                    .with("retries", 20)
                    .with("failEvery", 7)
                    .with("batch", 50);
            ChildJvm frozen = jvms.start(NodeProcess.class, spec.arguments());
            ChildJvm other = jvms.start(NodeProcess.class, spec.arguments());
            frozen.waitForLine("READY", Duration.ofSeconds(30));
            other.waitForLine("READY", Duration.ofSeconds(30));

            await().pollInterval(Duration.ofMillis(5))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> stage.count("SELECT COUNT(*) FROM " + layout.table + " WHERE " + layout.sent) > 100);
            frozen.pause();
            await().atMost(Duration.ofSeconds(60)).until(() -> unsent(stage, layout) == 0);
            List<String> settled = rows(stage, layout);

            int printed = frozen.lines().size();
            frozen.resume();
            // time in which a late writer would write
            await().atMost(Duration.ofSeconds(30)).until(() -> frozen.lines().size() > printed + 20);
            String stats = frozen.lines().get(frozen.lines().size() - 1);
            stage.print(
                    "%s: rows=%d arrived=%d repeats=%d; thawed relay: %s",
                    layout.table, 2 * HALF, stage.arrivals.distinct(), stage.arrivals.repeats(), stats);
            assertThat(rows(stage, layout)).isEqualTo(settled);
            assertThat(unsent(stage, layout)).isZero();
            await().atMost(Duration.ofSeconds(20)).until(() -> stage.arrivals.distinct() == 2 * HALF);
            assertThat(frozen.isAlive()).isTrue();
        }
    }

    private static long unsent(Stage stage, SeedLayout layout) {
        return stage.count("SELECT COUNT(*) FROM " + layout.table + " WHERE NOT (" + layout.sent + ")");
    }

    private static List<String> rows(Stage stage, SeedLayout layout) {
        return stage.texts("SELECT " + layout.fingerprint + " FROM " + layout.table + " ORDER BY 1");
    }
}
