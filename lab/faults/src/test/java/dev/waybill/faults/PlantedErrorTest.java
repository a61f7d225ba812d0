package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.lifecycle.Checkpoints.Place;
import dev.waybill.outbox.Relay;
import dev.waybill.outbox.RelayListener;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An OutOfMemoryError in each of the relay's workers, and in the broker client's thread, while producers go on. */
@Servers({Server.POSTGRESQL, Server.RABBITMQ})
@Tag("scenario")
class PlantedErrorTest {

    private static final int LEASE_MS = Scenario.length(5_000, 2_000);
    private static final Duration BACK = Duration.ofSeconds(30);

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"CLAIMED", "SENDING", "ANSWERED", "SETTLING"})
    void afterAnOutOfMemoryErrorInAWorkerTheRelayIsBackByItselfWithinThirtySeconds(
            Place place, PostgreSql sql, RabbitMq broker) {
        AtomicBoolean armed = new AtomicBoolean();
        Watch watch = new Watch();
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker);
                RelayNode node = new RelayNode(environment.spec.with("leaseMs", LEASE_MS), watch, reached -> {
                    if (reached == place && armed.compareAndSet(true, false)) {
                        throw new OutOfMemoryError("planted at " + place);
                    }
                })) {
            watch.relay.set(node.relay);
            node.relay.start();
            try (Producers producers = new Producers(node, 2, Integer.MAX_VALUE, 100).start()) {
                await().atMost(BACK).until(() -> environment.arrivals.distinct() > 20);
                armed.set(true);
                List<String> backlog = environment.fill(200); // so that claims are passed too
                await().atMost(BACK)
                        .dontCatchUncaughtExceptions()
                        .until(() -> watch.failedAt.get() != 0 && watch.restartedAt.get() != 0);
                assertThat(watch.ranWhenItFailed)
                        .as("what it said of itself when it failed")
                        .isFalse();
                assertThat(node.relay.isRunning()).isTrue();
                List<String> before = environment.texts("SELECT id FROM business");
                await().atMost(BACK)
                        .until(() -> environment.arrivals.ids().containsAll(before)
                                && environment.arrivals.ids().containsAll(backlog));
                long caughtUp = System.nanoTime();

                producers.stop();
                List<String> committed = environment.texts("SELECT id FROM business");
                await().atMost(BACK).until(() -> environment.count(RelayTestEnvironment.UNSENT) == 0);
                await().atMost(BACK).until(() -> environment.arrivals.ids().containsAll(committed));
                environment.print(
                        "OutOfMemoryError at %s: works again after %d ms, had sent all that waited after %d ms,"
                                + " repeats=%d",
                        place,
                        millis(watch.failedAt.get(), watch.restartedAt.get()),
                        millis(watch.failedAt.get(), caughtUp),
                        environment.arrivals.repeats());
                assertThat(Duration.ofNanos(caughtUp - watch.failedAt.get())).isLessThan(BACK);
                assertThat(environment.arrivals.distinct()).isEqualTo(committed.size() + backlog.size());
            }
            assertThat(node.relay.stop(Duration.ofSeconds(20))).isTrue();
        }
    }

    private static long millis(long from, long to) {
        return Duration.ofNanos(to - from).toMillis();
    }

    /** When the relay failed and worked again, and what it said of itself at the first of the two. */
    private static final class Watch implements RelayListener {

        final AtomicReference<Relay> relay = new AtomicReference<>();
        final AtomicLong failedAt = new AtomicLong();
        final AtomicLong restartedAt = new AtomicLong();
        final AtomicBoolean ranWhenItFailed = new AtomicBoolean(true);

        @Override
        public void failed(Error error) {
            ranWhenItFailed.set(relay.get().isRunning());
            failedAt.set(System.nanoTime());
        }

        @Override
        public void restarted() {
            restartedAt.set(System.nanoTime());
        }
    }
}
