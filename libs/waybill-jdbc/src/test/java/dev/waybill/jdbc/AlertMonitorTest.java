package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.alert.AlertMonitor;
import dev.waybill.alert.AlertNotice;
import dev.waybill.alert.AlertProbe;
import dev.waybill.alert.AlertRule;
import dev.waybill.alert.AlertRule.Step;
import dev.waybill.alert.AlertSink;
import dev.waybill.alert.DeadLetterProbe;
import dev.waybill.alert.OutboxProbe;
import dev.waybill.alert.Reading;
import dev.waybill.alert.WebhookFormat;
import dev.waybill.alert.WebhookSink;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.Event;
import dev.waybill.store.AlertStore;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.Settlement;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three replicas of one application watch one database; people hear of each thing once. */
class AlertMonitorTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final OperatorDecision DECISION = new OperatorDecision("anna", "known");

    private final TestPool pool = new TestPool(TestPool.h2());
    private final Heard heard = new Heard();
    private final List<AlertMonitor> replicas = new ArrayList<>();

    @BeforeEach
    void tables() {
        Ddl.applyAlerts(pool.connections());
    }

    @AfterEach
    void stop() {
        replicas.forEach(monitor -> monitor.stop(Duration.ofSeconds(5)));
        pool.close();
    }

    @Test
    void deadRowsRaiseOneAlertThatNamesTheirErrorsGroupAndDiscardingThemClearsItOnce() {
        JdbcTransactions transactions = new JdbcTransactions(pool.connections());
        Ddl.apply(pool.connections(), OutboxLayouts.waybill());
        JdbcOutboxStore store = JdbcOutboxStore.builder(pool.connections())
                .callerConnection(transactions)
                .build();
        startThree(new OutboxProbe(store));
        Lease lease = new Lease("relay-1", Duration.ofMinutes(5));
        List<Event> events = List.of(Event.of("OrderCreated", "{}"), Event.of("OrderCreated", "{}"));
        transactions.inTransaction(() -> store.append(events, null));
        AtomicInteger number = new AtomicInteger();
        store.settle(ClaimedRow.events(store.claim(lease, 10, Set.of())).stream()
                .<Settlement>map(row -> new Settlement.Dead(row, "UNROUTABLE: no queue " + number.incrementAndGet()))
                .toList());

        await().atMost(SOON).until(() -> !heard.notices.isEmpty());
        heard.hasOnlyRaised("outbox-dead");
        assertThat(heard.notices.element().detail())
                .isEqualTo("outbox.dead=2 type=OrderCreated count=2 error=UNROUTABLE: no queue #");

        assertThat(store.discard(events.stream().map(Event::eventId).toList(), DECISION))
                .isEqualTo(2);
        heard.waitsForOneClear("outbox-dead");
    }

    @Test
    void aLetterThatAnotherReplicaSettlesClearsTheAlertAndTheNextLetterRaisesItAgain() {
        Ddl.applyDeadLetters(pool.connections());
        JdbcDeadLetterStore letters = new JdbcDeadLetterStore(pool.connections());
        startThree(new DeadLetterProbe(letters));
        for (int round = 1; round <= 2; round++) {
            letters.save(
                    new DeadLetter(
                            "letter-" + round, "ORDERS", "stock", null, Map.of(), new byte[0], "no order " + round),
                    null,
                    "OrderCreated");
            await().atMost(SOON).until(() -> !heard.notices.isEmpty());
            heard.hasOnlyRaised("dead-letters");
            assertThat(heard.notices.element().detail()).contains("error=no order #");
            long id = letters.list(dev.waybill.store.DeadLetterStore.Filter.any(), 10, round - 1)
                    .get(0)
                    .id();
            new JdbcDeadLetterStore(pool.connections()).discard(List.of(id), DECISION);
            heard.waitsForOneClear("dead-letters");
            heard.notices.clear();
        }
    }

    @Test
    void aWebhookThatHangsHoldsUpNoLookAndNoOtherSink() throws IOException {
        AtomicInteger alerts = new AtomicInteger();
        AtomicInteger looks = new AtomicInteger();
        AlertProbe probe = () -> {
            looks.incrementAndGet();
            return IntStream.range(0, alerts.get())
                    .mapToObj(i -> new Reading("made", "type-" + i, null, 1, ""))
                    .toList();
        };
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI address = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/hook");
            AlertMonitor monitor = AlertMonitor.builder("shop", new JdbcAlertStore(pool.connections()))
                    .probe(probe)
                    .rules(List.of(
                            AlertRule.level("made", "made", Step.above(0)).each(AlertRule.Subject.EACH_TYPE)))
                    .sink(new WebhookSink(address, WebhookFormat.JSON, Duration.ofHours(1)))
                    .sink(heard)
                    .interval(Duration.ofMillis(50))
                    .build();
            replicas.add(monitor);
            monitor.start();
            for (int raised = 50;
                    raised <= 150;
                    raised += 50) { // in steps, because a sink that works has a full queue too
                alerts.set(raised);
                int expected = raised;
                await().atMost(SOON).until(() -> heard.notices.size() == expected);
            }
            int then = looks.get();
            await().atMost(SOON).until(() -> looks.get() > then + 2);
            assertThat(monitor.dropped()).as("100 wait, one is being told").isBetween(45L, 50L);
            assertThat(monitor.isRunning()).isTrue();
            long begun = System.nanoTime();
            assertThat(monitor.stop(Duration.ofSeconds(1))).isFalse();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
        }
    }

    @Test
    void whatCannotBeReadClearsNothing() {
        AtomicInteger looks = new AtomicInteger();
        AlertMonitor monitor = AlertMonitor.builder("shop", new JdbcAlertStore(pool.connections()))
                .probe(() -> {
                    if (looks.incrementAndGet() > 1) {
                        throw new IllegalStateException("the table is locked");
                    }
                    return List.of(Reading.of("made", 1));
                })
                .rules(List.of(AlertRule.level("made", "made", Step.above(0))))
                .sink(heard)
                .interval(Duration.ofMillis(50))
                .build();
        replicas.add(monitor);
        monitor.start();
        await().atMost(SOON).until(() -> looks.get() > 10);
        heard.hasOnlyRaised("made");
    }

    @Test
    void aProbeThatFailsKeepsOnlyItsOwnAlertsFromBeingCleared() {
        AtomicInteger looks = new AtomicInteger();
        AlertMonitor monitor = AlertMonitor.builder("shop", new JdbcAlertStore(pool.connections()))
                .probe(measuring("seen", () -> looks.incrementAndGet() == 1 ? 1 : 0))
                .slowProbe(measuring("silent", () -> {
                    if (looks.get() > 1) {
                        throw new IllegalStateException("the broker does not answer");
                    }
                    return 1;
                }))
                .rules(List.of(
                        AlertRule.level("seen", "seen", Step.above(0)),
                        AlertRule.level("silent", "silent", Step.above(0))))
                .sink(heard)
                .interval(Duration.ofMillis(50))
                .build();
        replicas.add(monitor);
        monitor.start();
        await().atMost(SOON).until(() -> heard.told(AlertNotice.Kind.CLEARED, "seen") == 1);
        await().atMost(SOON).until(() -> looks.get() > 20);
        assertThat(heard.told(AlertNotice.Kind.RAISED, "silent")).isEqualTo(1);
        assertThat(heard.told(AlertNotice.Kind.CLEARED, "silent")).isZero();
    }

    /** It knows of nothing yet when it starts: the relay notices that its broker is down a moment later. */
    @Test
    void aProcessThatStartsAnewInAnOutageDoesNotClearItsAlert() {
        JdbcAlertStore store = new JdbcAlertStore(pool.connections());
        store.holds("shop", new AlertStore.Condition("made", "made", 1, "before the restart"));
        AtomicInteger looks = new AtomicInteger();
        Duration interval = Duration.ofMillis(50);
        await().atMost(SOON)
                .until(() -> !store.unseen("shop", interval.multipliedBy(3)).isEmpty());
        AlertMonitor monitor = AlertMonitor.builder("shop", store)
                .probe(() -> List.of(Reading.of("made", looks.incrementAndGet() > 2 ? 1 : 0)))
                .rules(List.of(AlertRule.level("made", "made", Step.above(0))))
                .sink(heard)
                .interval(interval)
                .build();
        replicas.add(monitor);
        monitor.start();
        await().atMost(SOON).until(() -> looks.get() > 20);
        assertThat(heard.notices).isEmpty();
    }

    private static AlertProbe measuring(String measure, IntSupplier figure) {
        return new AlertProbe() {
            @Override
            public List<Reading> read() {
                return List.of(Reading.of(measure, figure.getAsInt()));
            }

            @Override
            public Set<String> measures() {
                return Set.of(measure);
            }
        };
    }

    private void startThree(AlertProbe probe) {
        for (int i = 0; i < 3; i++) {
            AlertMonitor monitor = AlertMonitor.builder("shop", new JdbcAlertStore(pool.connections()))
                    .probe(probe)
                    .sink(heard)
                    .interval(Duration.ofMillis(500))
                    .build();
            replicas.add(monitor);
            monitor.start();
        }
    }

    /** What the sinks of all replicas were told. */
    private static final class Heard implements AlertSink {

        final Queue<AlertNotice> notices = new ConcurrentLinkedQueue<>();

        @Override
        public String name() {
            return "test";
        }

        @Override
        public void tell(AlertNotice notice) {
            notices.add(notice);
        }

        /** Every replica has looked several times since, so a second one would be here. */
        void hasOnlyRaised(String rule) {
            await().during(Duration.ofSeconds(1))
                    .atMost(SOON)
                    .until(() -> told(AlertNotice.Kind.RAISED, rule) == 1 && notices.size() == 1);
        }

        void waitsForOneClear(String rule) {
            await().atMost(SOON).until(() -> told(AlertNotice.Kind.CLEARED, rule) == 1);
            await().during(Duration.ofSeconds(1)).atMost(SOON).until(() -> notices.size() == 2);
        }

        private long told(AlertNotice.Kind kind, String rule) {
            return notices.stream()
                    .filter(notice -> notice.kind() == kind && notice.rule().equals(rule))
                    .count();
        }
    }
}
