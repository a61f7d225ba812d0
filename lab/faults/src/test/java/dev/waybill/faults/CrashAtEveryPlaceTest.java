package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.lifecycle.Checkpoints.Place;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.CrashPoints;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The process dies at each arrow of the main flow; its successor finishes, and what arrives is what was committed. */
@Servers({Server.POSTGRESQL, Server.RABBITMQ})
@Tag("kill")
class CrashAtEveryPlaceTest {

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"ADMITTED", "HANDLED", "CONSUMED"}) // the inbox's, which this node has not
    void aProcessThatDiesHereLosesNothing(Place place, PostgreSql sql, RabbitMq broker, ChildJvms jvms) {
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker)) {
            environment.fill(300); // so that claims are passed too
            ChildJvm doomed = jvms.start(ChildJvm.of(RelayProcess.class)
                    .arguments(environment
                            .spec
                            .with("produce", 100_000)
                            .with("leaseMs", 1000)
                            .arguments())
                    .jvmOptions("-D" + CrashPoints.PROPERTY + "=" + place + ":" + nth(place) + ":process"));
            assertThat(doomed.waitForExit(Duration.ofSeconds(60))).isEqualTo(CrashPoints.EXIT_STATUS);
            assertThat(doomed.lines()).anyMatch(line -> line.contains("PROCESS dies at " + place));

            List<String> committed = environment.texts("SELECT event_id FROM waybill_outbox");
            try (RelayNode successor = new RelayNode(environment.spec.with("leaseMs", 1000))) {
                successor.relay.start();
                await().atMost(Duration.ofSeconds(60)).until(() -> environment.arrivals.distinct() >= committed.size());
                await().atMost(Duration.ofSeconds(10))
                        .until(() ->
                                environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE status <> 'SENT'") == 0);
            }
            environment.print(
                    "died at %s #%d: committed=%d arrived=%d repeats=%d",
                    place,
                    nth(place),
                    committed.size(),
                    environment.arrivals.distinct(),
                    environment.arrivals.repeats());
            LongLists.assertSame(environment.arrivals.ids(), committed);
            LongLists.assertContains(committed, environment.texts("SELECT id FROM business"));
        }
    }

    private static int nth(Place place) {
        return switch (place) {
            case CLAIMED -> 1;
            case SETTLING, SETTLED -> 3;
            case ADMITTED, HANDLED, CONSUMED -> throw new IllegalArgumentException("no inbox here: " + place);
            case APPENDED, COMMITTED, HANDED_OFF, SENDING, SENT_OFF, ANSWERED -> 60;
        };
    }
}
