package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A process publishes without a relay, and the relay of another one hears of its commits. That relay looks at the table by itself
 * every ten minutes, and two minutes after it found something, so nothing here arrives by polling. Ten milliseconds are for a
 * machine that does nothing else.
 */
@Servers({Server.POSTGRESQL, Server.RABBITMQ})
@Tag("scenario")
class RemoteCommitTest {

    private static final int EVENTS = 600;
    private static final int WARM_UP = 200;
    private static final Duration LONG_BEFORE_THE_NEXT_LOOK = Duration.ofSeconds(60);

    @Test
    void aCommitInOneProcessWakesTheRelayOfAnotherOnPostgreSql(PostgreSql sql, RabbitMq broker, ChildJvms jvms) {
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker)) {
            NodeSettings spec = environment.spec.with("notify", 1).with("pollMs", 600_000);
            try (RelayNode node = new RelayNode(spec)) {
                node.relay.start();
                ChildJvm producer = jvms.start(
                        PacedProducer.class,
                        spec.with("relay", 0).with("events", EVENTS).arguments());
                producer.waitForLine("DONE", Duration.ofSeconds(60));
                await().atMost(LONG_BEFORE_THE_NEXT_LOOK).until(() -> environment.arrivals.distinct() == EVENTS);
                check(environment, producer.lines());
                assertThat(node.relay.stop(Duration.ofSeconds(10))).isTrue();
            }
        }
    }

    private static void check(RelayTestEnvironment environment, List<String> lines) {
        CommitLatencies latencies = CommitLatencies.of(lines, environment.arrivals, WARM_UP);
        environment.print("commit to arrival through another process's relay, %s", latencies);
        assertThat(latencies.micros()).hasSize(EVENTS - WARM_UP);
        assertThat(latencies.median()).isLessThan(Scenario.length(10_000, (int) TimeUnit.SECONDS.toMicros(60)));
    }
}
