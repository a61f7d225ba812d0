package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.outbox.RelaySettings;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three relays in processes of their own on one backlog, one of them killed with -9 in the middle. */
@Servers({Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ})
@Tag("kill")
class ThreeRelaysTest {

    private static final int EVENTS = 20_000;

    @Test
    void aKilledRelayLosesNothingOnMariaDbAndRocketMq(MariaDb sql, RocketMq broker, ChildJvms jvms) {
        try (Stage stage = Stage.of(sql, broker)) {
            killOneOfThree(stage, jvms);
        }
    }

    @Test
    void aKilledRelayLosesNothingOnPostgreSqlAndRabbitMq(PostgreSql sql, RabbitMq broker, ChildJvms jvms) {
        try (Stage stage = Stage.of(sql, broker)) {
            killOneOfThree(stage, jvms);
        }
    }

    private static void killOneOfThree(Stage stage, ChildJvms jvms) {
        List<String> ids = stage.fill(EVENTS);
        List<ChildJvm> relays = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            relays.add(
                    jvms.start(NodeProcess.class, stage.spec.with("batch", 50).arguments()));
        }
        relays.forEach(relay -> relay.waitForLine("READY", Duration.ofSeconds(30)));

        await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(60))
                .until(() -> stage.count("SELECT COUNT(*) FROM waybill_outbox WHERE status = 'SENT'") > EVENTS / 3);
        relays.get(0).kill9();

        await().atMost(Duration.ofSeconds(60))
                .until(() -> stage.count("SELECT COUNT(*) FROM waybill_outbox WHERE status <> 'SENT'") == 0);
        await().atMost(Duration.ofSeconds(30)).until(() -> stage.arrivals.distinct() == EVENTS);

        RelaySettings settings = RelaySettings.defaults();
        stage.print(
                "events=%d arrived=%d repeats=%d bound: window=%d + unsettled batch=%d",
                EVENTS,
                stage.arrivals.distinct(),
                stage.arrivals.repeats(),
                settings.maxWindow(),
                settings.settleBatch());
        assertThat(stage.arrivals.ids()).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(stage.arrivals.repeats()).isLessThanOrEqualTo(settings.maxWindow() + settings.settleBatch());
        assertThat(stage.count(Stage.CLAIMED)).isZero();
    }
}
