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
        try (Stage stage = Stage.of(sql, broker)) {
            stopUnderLoad(stage, jvms);
        }
    }

    @Test
    void sigtermUnderLoadLeavesNothingClaimedAndRepeatsNothingOnPostgreSqlAndRabbitMq(
            PostgreSql sql, RabbitMq broker, ChildJvms jvms) {
        try (Stage stage = Stage.of(sql, broker)) {
            stopUnderLoad(stage, jvms);
        }
    }

    private static void stopUnderLoad(Stage stage, ChildJvms jvms) {
        ChildJvm node = jvms.start(
                NodeProcess.class,
                stage.spec.with("produce", 1_000_000).with("threads", 8).arguments());
        node.waitForLine("READY", Duration.ofSeconds(30));
        await().atMost(Duration.ofSeconds(30)).until(() -> stage.arrivals.distinct() > 2_000);

        node.terminate();
        int exit = node.waitForExit(Duration.ofSeconds(20));
        String last = node.lines().stream()
                .filter(line -> line.startsWith("STOPPED"))
                .findFirst()
                .orElse("");
        stage.print("SIGTERM: exit=%d %s", exit, last);

        assertThat(last).contains("clean=true");
        assertThat(stage.count(Stage.CLAIMED)).isZero();
        List<String> committed = stage.texts("SELECT id FROM business");
        try (Node successor = new Node(stage.spec)) {
            successor.relay.start();
            await().atMost(Duration.ofSeconds(60)).until(() -> stage.arrivals.distinct() >= committed.size());
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> stage.count("SELECT COUNT(*) FROM waybill_outbox WHERE status <> 'SENT'") == 0);
        }
        assertThat(stage.arrivals.ids()).containsExactlyInAnyOrderElementsOf(committed);
        assertThat(stage.arrivals.repeats()).isZero();
    }
}
