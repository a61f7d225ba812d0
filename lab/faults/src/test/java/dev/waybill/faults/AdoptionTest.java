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

    private static final int HALF = 1_000;
    private static final int LEASE_MS = 2_000;

    @ParameterizedTest
    @EnumSource
    void anExistingTableIsDrainedByTwoRelaysOneOfThemFrozenPastItsLease(
            SeedLayout layout, MariaDb sql, RabbitMq broker, ChildJvms jvms) {
        try (RelayTestEnvironment environment = RelayTestEnvironment.onSeedTable(layout, sql, broker)) {
            environment.executeAll(IntStream.rangeClosed(1, HALF)
                    .mapToObj(layout::foreignInsert)
                    .toList());
            environment.fill(HALF);
            NodeSettings spec = environment
                    .spec
                    .with("leaseMs", LEASE_MS)
                    .with("retryMs", 300)
                    .with("retries", 20)
                    .with("failEvery", 15)
                    .with("batch", 50);
            ChildJvm frozen = jvms.start(RelayProcess.class, spec.arguments());
            ChildJvm other = jvms.start(RelayProcess.class, spec.arguments());
            frozen.waitForLine("READY", Duration.ofSeconds(30));
            other.waitForLine("READY", Duration.ofSeconds(30));

            await().pollInterval(Duration.ofMillis(5))
                    .atMost(Duration.ofSeconds(30))
                    .until(() ->
                            environment.count("SELECT COUNT(*) FROM " + layout.table + " WHERE " + layout.sent) > 100);
            frozen.pause();
            // the other one takes over once the leases are gone, and what a frozen transaction had locked
            long frozenAt = System.nanoTime();
            await().atMost(Duration.ofSeconds(90)).until(() -> unsent(environment, layout) == 0);
            double tookOver = (System.nanoTime() - frozenAt) / 1e9;
            List<String> settled = rows(environment, layout, layout.sent);

            int printed = frozen.lines().size();
            frozen.resume();
            // time in which a late writer would write
            await().atMost(Duration.ofSeconds(30)).until(() -> frozen.lines().size() > printed + 20);
            String stats = frozen.lines().get(frozen.lines().size() - 1);
            environment.print(
                    "%s: rows=%d, taken over in %.1f s, arrived=%d repeats=%d; thawed relay: %s",
                    layout.table,
                    2 * HALF,
                    tookOver,
                    environment.arrivals.distinct(),
                    environment.arrivals.repeats(),
                    stats);
            LongLists.assertContains(rows(environment, layout, "1 = 1"), settled);
            assertThat(unsent(environment, layout)).isZero();
            await().atMost(Duration.ofSeconds(20)).until(() -> environment.arrivals.distinct() == 2 * HALF);
            assertThat(frozen.isAlive()).isTrue();
        }
    }

    private static long unsent(RelayTestEnvironment environment, SeedLayout layout) {
        return environment.count("SELECT COUNT(*) FROM " + layout.table + " WHERE NOT (" + layout.sent + ")");
    }

    private static List<String> rows(RelayTestEnvironment environment, SeedLayout layout, String which) {
        return environment.texts("SELECT " + layout.fingerprint + " FROM " + layout.table + " WHERE " + which);
    }
}
