package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process that is asked to stop under full load. */
@Servers({Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ})
@Tag("kill")
class SigtermTest {

    @Test
    void sigtermUnderLoadLeavesNothingClaimedAndRepeatsNothingOnMariaDbAndRocketMq(
            MariaDb sql, RocketMq broker, ChildJvms jvms) {
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker)) {
            stopUnderLoad(environment, jvms);
        }
    }

    @Test
    void sigtermUnderLoadLeavesNothingClaimedAndRepeatsNothingOnPostgreSqlAndRabbitMq(
            PostgreSql sql, RabbitMq broker, ChildJvms jvms) {
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker)) {
            stopUnderLoad(environment, jvms);
        }
    }

    private static void stopUnderLoad(RelayTestEnvironment environment, ChildJvms jvms) {
        ChildJvm node = jvms.start(
                RelayProcess.class,
                environment.spec.with("produce", 1_000_000).with("threads", 8).arguments());
        node.waitForLine("READY", Duration.ofSeconds(30));
        await().atMost(Duration.ofSeconds(30)).until(() -> environment.arrivals.distinct() > 2_000);

        node.terminate();
        int exit = node.waitForExit(Duration.ofSeconds(20));
        String last = node.lines().stream()
                .filter(line -> line.startsWith("STOPPED"))
                .findFirst()
                .orElse("");
        environment.print("SIGTERM: exit=%d %s", exit, last);

        assertThat(last).contains("clean=true");
        assertThat(environment.count(RelayTestEnvironment.CLAIMED)).isZero();
        List<String> committed = environment.texts("SELECT id FROM business");
        try (RelayNode successor = new RelayNode(environment.spec)) {
            successor.relay.start();
            await().atMost(Duration.ofSeconds(60)).until(() -> environment.arrivals.distinct() >= committed.size());
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE status <> 'SENT'") == 0);
        }
        LongLists.assertSame(environment.arrivals.ids(), committed);
        assertThat(environment.arrivals.repeats()).isZero();
    }
}
