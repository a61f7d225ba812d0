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
import dev.waybill.servers.Scenario;
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

    private static final int EVENTS = Scenario.length(20_000, 8_000);

    @Test
    void aKilledRelayLosesNothingOnMariaDbAndRocketMq(MariaDb sql, RocketMq broker, ChildJvms jvms) {
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker)) {
            killOneOfThree(environment, jvms);
        }
    }

    @Test
    void aKilledRelayLosesNothingOnPostgreSqlAndRabbitMq(PostgreSql sql, RabbitMq broker, ChildJvms jvms) {
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker)) {
            killOneOfThree(environment, jvms);
        }
    }

    private static void killOneOfThree(RelayTestEnvironment environment, ChildJvms jvms) {
        List<String> ids = environment.fill(EVENTS);
        List<ChildJvm> relays = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            relays.add(jvms.start(
                    RelayProcess.class, environment.spec.with("batch", 50).arguments()));
        }
        relays.forEach(relay -> relay.waitForLine("READY", Duration.ofSeconds(30)));

        await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(60))
                .until(() ->
                        environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE status = 'SENT'") > EVENTS / 3);
        relays.get(0).kill9();

        await().atMost(Duration.ofSeconds(60))
                .until(() -> environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE status <> 'SENT'") == 0);
        await().atMost(Duration.ofSeconds(30)).until(() -> environment.arrivals.distinct() == EVENTS);

        RelaySettings settings = RelaySettings.defaults();
        environment.print(
                "events=%d arrived=%d repeats=%d bound: window=%d + unsettled batch=%d",
                EVENTS,
                environment.arrivals.distinct(),
                environment.arrivals.repeats(),
                settings.maxWindow(),
                settings.settleBatch());
        LongLists.assertSame(environment.arrivals.ids(), ids);
        assertThat(environment.arrivals.repeats()).isLessThanOrEqualTo(settings.maxWindow() + settings.settleBatch());
        assertThat(environment.count(RelayTestEnvironment.CLAIMED)).isZero();
    }
}
