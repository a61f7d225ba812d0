package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events of 1 MB in a JVM with 256 MB: as a backlog, then as live load. */
@Servers({Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ})
@Tag("scenario")
class LargeEventsTest {

    private static final int EVENTS = Scenario.length(1_000, 60);
    private static final int BYTES = 1_000_000;

    /** On a slow machine that does many things at once, a lease may run out for other reasons than a claim's size. */
    private static final Duration LEASE = Duration.ofSeconds(Scenario.length(5, 30));

    private static final String BINARY_LOG =
            "SELECT CONCAT_WS(' ', IF(@@log_bin, 'ON', 'OFF'), @@binlog_format, @@binlog_row_image)";

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Test
    void largeEventsNeverFillASmallHeapOnMariaDbWithItsBinaryLog(MariaDb sql, RabbitMq broker, ChildJvms jvms) {
        try (RelayTestEnvironment environment = RelayTestEnvironment.onRabbit("MariaDB", sql, broker, "waybill")) {
            assertThat(environment.texts(BINARY_LOG)).containsExactly("ON ROW FULL");
            try {
                backlogThenLiveLoad(environment, jvms);
            } finally {
                environment.execute("FLUSH BINARY LOGS"); // each event is in them five times
                environment.execute("PURGE BINARY LOGS BEFORE NOW()");
            }
        }
    }

    @Test
    void largeEventsNeverFillASmallHeapOnPostgreSql(PostgreSql sql, RabbitMq broker, ChildJvms jvms) {
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker)) {
            backlogThenLiveLoad(environment, jvms);
        }
    }

    private static void backlogThenLiveLoad(RelayTestEnvironment environment, ChildJvms jvms) {
        NodeSettings spec = environment.spec.with("leaseMs", LEASE.toMillis()).with("payload", BYTES);
        environment.fill(EVENTS, 4, () -> Producers.event(BYTES));
        flows(environment, jvms, "backlog", EVENTS, spec);
        flows(environment, jvms, "live load", 2 * EVENTS, spec.with("produce", EVENTS));
    }

    private static void flows(
            RelayTestEnvironment environment, ChildJvms jvms, String what, int arrivedAtLast, NodeSettings spec) {
        int arrivedBefore = environment.arrivals.distinct();
        ChildJvm relay = jvms.start(ChildJvm.of(RelayProcess.class)
                .jvmOptions("-Xmx256m", "-XX:+ExitOnOutOfMemoryError")
                .arguments(spec.arguments()));
        relay.waitForLine("READY", Duration.ofSeconds(60));
        await().atMost(PATIENCE).until(() -> !relay.isAlive() || hasSent(environment, arrivedAtLast));
        List<String> lines = relay.lines();
        String stats = lines.stream()
                .filter(line -> line.startsWith("STATS"))
                .reduce((one, next) -> next)
                .orElse("");
        assertThat(lines).as("the relay's output").noneMatch(line -> line.contains("OutOfMemoryError"));
        assertThat(relay.isAlive()).isTrue();
        relay.terminate();
        assertThat(relay.waitForExit(Duration.ofSeconds(60))).isEqualTo(143);

        Pace pace = Pace.of(environment.arrivals.firstMicros().values().stream()
                .sorted()
                .skip(arrivedBefore)
                .toList());
        environment.print(
                "%s: %d events of 1 MB, %s, repeats=%d; %s",
                what, arrivedAtLast - arrivedBefore, pace, environment.arrivals.repeats(), stats);
        assertThat(stats).as("no claim outlives its lease").contains("leasesLost=0");
        assertThat(environment.arrivals.repeats()).isZero();
        if (Scenario.isWhole()) {
            assertThat(pace.longestGap()).as("steadily").isLessThan(LEASE);
        }
    }

    private static boolean hasSent(RelayTestEnvironment environment, int events) {
        return environment.arrivals.distinct() >= events && environment.count(RelayTestEnvironment.UNSENT) == 0;
    }

    /** How events arrived: a second's worth at the whole, and the longest time without any. */
    private record Pace(double perSecond, double slowestTenthPerSecond, Duration longestGap) {

        static Pace of(List<Long> micros) {
            int tenth = micros.size() / 10;
            double slowest = IntStream.range(0, 9)
                    .mapToDouble(i -> tenth * 1e6 / (micros.get((i + 1) * tenth) - micros.get(i * tenth) + 1))
                    .min()
                    .orElse(0);
            long gap = IntStream.range(1, micros.size())
                    .mapToLong(i -> micros.get(i) - micros.get(i - 1))
                    .max()
                    .orElse(0);
            double whole = micros.size() * 1e6 / (micros.get(micros.size() - 1) - micros.get(0) + 1);
            return new Pace(whole, slowest, Duration.ofMillis(gap / 1000));
        }

        @Override
        public String toString() {
            return String.format(
                    java.util.Locale.ROOT,
                    "%.1f/s (slowest tenth %.1f/s, longest gap %d ms)",
                    perSecond,
                    slowestTenthPerSecond,
                    longestGap.toMillis());
        }
    }
}
