package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * From before COMMIT is sent to receipt in another process, paced, default configuration. Ten milliseconds are for a machine
 * that does nothing else; shortened, among other tests, a tenth of a second.
 */
@Servers({Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ})
@Tag("scenario")
class LatencyTest {

    private static final int EVENTS = 600;
    private static final int WARM_UP = 200;

    @Test
    void theMedianFromCommitToArrivalIsUnderTenMillisecondsOnMariaDbAndRocketMq(
            MariaDb sql, RocketMq broker, ChildJvms jvms) {
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker)) {
            measure(environment, jvms);
        }
    }

    @Test
    void theMedianFromCommitToArrivalIsUnderTenMillisecondsOnPostgreSqlAndRabbitMq(
            PostgreSql sql, RabbitMq broker, ChildJvms jvms) {
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker)) {
            measure(environment, jvms);
        }
    }

    private static void measure(RelayTestEnvironment environment, ChildJvms jvms) {
        ChildJvm producer = jvms.start(
                PacedProducer.class, environment.spec.with("events", EVENTS).arguments());
        producer.waitForLine("DONE", Duration.ofSeconds(60));
        await().atMost(Duration.ofSeconds(20)).until(() -> environment.arrivals.distinct() == EVENTS);

        CommitLatencies latencies = CommitLatencies.of(producer.lines(), environment.arrivals, WARM_UP);
        environment.print("commit to arrival, %s", latencies);
        assertThat(latencies.micros()).hasSize(EVENTS - WARM_UP);
        assertThat(latencies.median()).isLessThan(Scenario.length(10_000, 100_000));
    }
}
