package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.waybill.lifecycle.Checkpoints.Place;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.retry.FixedSchedule;
import dev.waybill.retry.RetryRules;
import dev.waybill.store.StoreException.Reason;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The whole relay: publish, append, claim, send, settle, on a table in memory and a transport that follows a script. */
@Timeout(20)
class RelayTest {

    private static final RelaySettings SETTINGS =
            RelaySettings.defaults().withPollInterval(Duration.ofMillis(10)).withSettling(100, Duration.ofMillis(1));

    private final RelayParts parts = new RelayParts();
    private final ScriptedTransport transport = new ScriptedTransport();
    private final List<Relay> relays = new ArrayList<>();

    @AfterEach
    void stop() {
        transport.answerHeldBack();
        relays.forEach(relay -> relay.stop(Duration.ofSeconds(5)));
    }

    @Test
    void aPublishedEventReachesItsDestinationAndItsRowSaysSo() {
        Relay relay = started(builder().router(Routes.all(Destination.of("ORDERS", "created"))));
        Outbox outbox = Outbox.builder()
                .store(parts.store)
                .transactions(parts.transactions)
                .relay(relay)
                .build();

        String id = parts.transactions.inTransaction(() -> outbox.publish("OrderCreated", "{\"orderNo\":\"17\"}"));

        await().until(() -> parts.table.backlog().sent() == 1);
        assertThat(transport.messages()).hasSize(1);
        Message message = transport.messages().get(0);
        assertThat(message.destination()).isEqualTo(Destination.of("ORDERS", "created"));
        assertThat(Envelope.decode(message.body()).eventId()).isEqualTo(id);
        assertThat(Envelope.decode(message.body()).payload()).isEqualTo("{\"orderNo\":\"17\"}");
        await().untilAsserted(() -> assertThat(parts.heard.all()).containsExactly("sent " + id));
    }

    @Test
    void aBacklogIsSentInItsOrderEachEventOnce() {
        parts.appendDue("A", 500);

        started(builder());

        await().until(() -> parts.table.backlog().sent() == 500);
        assertThat(transport.sent())
                .containsExactlyElementsOf(
                        RelayParts.events("A", 500).stream().map(Event::eventId).toList());
    }

    @Test
    void relaysThatShareATableSendEachEventOnce() {
        parts.appendDue("A", 300);

        started(builder());
        started(builder());
        started(builder());

        await().until(() -> parts.table.backlog().sent() == 300);
        assertThat(transport.sent()).hasSize(300).doesNotHaveDuplicates();
    }

    @Test
    void anUnreadableRowIsDeadAndTheRowsBehindItGoOn() {
        parts.table.insert("bad", "no JSON at all", null);
        parts.appendDue("A", 2);

        Relay relay = started(builder());

        await().until(() ->
                parts.table.backlog().sent() == 2 && parts.table.backlog().dead() == 1);
        assertThat(transport.sent()).containsExactly("A-0", "A-1");
        await().until(() -> relay.stats().dead() == 1);
        await().untilAsserted(() -> assertThat(parts.heard.all()).contains("unreadable bad"));
        assertThat(parts.table.dead(10)).singleElement().satisfies(dead -> {
            assertThat(dead.event()).isNull();
            assertThat(dead.error()).startsWith("UNSERIALISABLE: ");
        });
    }

    @Test
    void aStopWaitsForTheAnswersUnderWay() throws Exception {
        parts.appendDue("A", 3);
        transport.holdBack();
        Relay relay = started(builder());
        await().until(() -> transport.sent().size() == 3);

        CompletableFuture<Boolean> stopped = CompletableFuture.supplyAsync(() -> relay.stop(Duration.ofSeconds(10)));
        transport.answerHeldBack();

        assertThat(stopped.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(parts.table.backlog().sent()).isEqualTo(3);
        assertThat(relay.isRunning()).isFalse();
    }

    @Test
    void aStopGivesBackWhatWasNotSent() {
        parts.appendDue("A", 10);
        transport.batchLimit(2);
        transport.holdBack();
        Relay relay = started(builder().settings(SETTINGS.withWindow(2, 2)));
        await().until(() -> transport.sent().size() == 2 && relay.stats().waiting() == 8);

        assertThat(relay.stop(Duration.ofMillis(300)))
                .as("two answers are missing")
                .isFalse();

        assertThat(parts.claimedByAnother())
                .as("due at once, no lease has to end")
                .hasSize(8);
        assertThat(relay.stats().released()).isEqualTo(8);
    }

    @Test
    void aStoppedRelayCanStartAgain() {
        Relay relay = started(builder());
        assertThat(relay.stop(Duration.ofSeconds(5))).isTrue();
        parts.appendDue("A", 1);

        relay.start();
        relay.start();

        await().until(() -> parts.table.backlog().sent() == 1);
    }

    @Test
    void aRoundByHandSendsOneBatchAndReturnsWhenItsRowsAreSettled() {
        parts.appendDue("A", 5);
        Relay relay = builder().settings(SETTINGS.withBatch(3)).build();

        assertThat(relay.runOnce(Duration.ofSeconds(10))).isEqualTo(3);
        assertThat(parts.table.backlog().sent()).isEqualTo(3);
        assertThat(relay.runOnce(Duration.ofSeconds(10))).isEqualTo(2);
        assertThat(relay.runOnce(Duration.ofSeconds(10))).isZero();
        assertThat(parts.table.backlog().sent()).isEqualTo(5);
    }

    @Test
    void aRelayThatRunsByItselfRefusesARoundByHand() {
        Relay relay = started(builder());

        assertThatIllegalStateException().isThrownBy(() -> relay.runOnce(Duration.ofSeconds(1)));
    }

    @Test
    void whatIsAtTheBrokerForLongStaysWithItsRelay() {
        parts.appendDue("A", 1);
        transport.holdBack();
        started(builder());
        await().until(() -> transport.sent().size() == 1);

        for (int i = 1; i <= 5; i++) {
            int renewals = i;
            parts.advance(SETTINGS.lease().dividedBy(2));
            await().until(() -> parts.store.renewals.size() >= renewals);
        }
        assertThat(parts.claimedByAnother()).isEmpty();
        transport.answerHeldBack();

        await().until(() -> parts.table.backlog().sent() == 1);
        assertThat(transport.sent()).hasSize(1);
    }

    @Test
    void aStoreThatDoesNotAnswerForAWhileLosesNothing() {
        parts.appendDue("A", 1);
        AtomicInteger claims = new AtomicInteger();
        parts.store.beforeClaim(() -> {
            if (claims.incrementAndGet() <= 2) {
                throw WatchedOutboxStore.failure(Reason.UNAVAILABLE);
            }
        });
        AtomicInteger settles = new AtomicInteger();
        parts.store.beforeSettle(settlements -> {
            if (settles.incrementAndGet() <= 2) {
                throw WatchedOutboxStore.failure(Reason.UNAVAILABLE);
            }
        });

        started(builder());

        await().until(() -> parts.table.backlog().sent() == 1);
        assertThat(transport.sent()).containsExactly("A-0");
        assertThat(settles).hasValue(3);
    }

    @Test
    void anOutageEndsByItselfAndNothingIsLost() {
        transport.fail(SendFailure.CONNECTION_LOST);
        parts.appendDue("A", 20);
        Relay relay = started(builder().retries(RetryRules.all(FixedSchedule.of(Duration.ofMillis(500)))));
        await().until(() -> parts.heard.all().contains("down *"));
        assertThat(relay.stats().down()).containsExactly(SendTarget.WHOLE_BROKER);

        transport.confirm();
        await().until(() -> {
            parts.advance(Duration.ofMillis(500)); // probes and retries are due by these clocks
            return parts.table.backlog().sent() == 20;
        });

        assertThat(parts.heard.all()).containsOnlyOnce("down *", "up *").noneMatch(line -> line.startsWith("dead"));
        assertThat(relay.stats().down()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Place.class,
            names = {"CLAIMED", "SENDING", "SENT_OFF", "ANSWERED", "SETTLING"})
    void afterAnErrorTheRelayBeginsAnewByItselfAndLosesNothing(Place place) {
        AtomicBoolean planted = new AtomicBoolean();
        parts.appendDue("A", 20);
        Relay relay = builder()
                .checkpoints(reached -> {
                    if (reached == place && planted.compareAndSet(false, true)) {
                        throw new OutOfMemoryError("scripted");
                    }
                })
                .build();
        relays.add(relay);
        AtomicBoolean ranOn = new AtomicBoolean(true);
        parts.heard.onFailed = () -> ranOn.set(relay.isRunning());
        relay.start();
        await().dontCatchUncaughtExceptions().until(() -> parts.heard.all().contains("failed scripted"));
        assertThat(ranOn).as("until it works again").isFalse();

        await().dontCatchUncaughtExceptions().until(() -> parts.heard.all().contains("restarted"));

        assertThat(relay.isRunning()).isTrue();
        await().dontCatchUncaughtExceptions().until(() -> {
            parts.advance(SETTINGS.lease());
            return parts.table.backlog().sent() == 20;
        });
        assertThat(parts.heard.all()).containsOnlyOnce("failed scripted", "restarted");
        assertThat(relay.stop(Duration.ofSeconds(5))).isTrue();
    }

    @Test
    void commitsAreHandedOffAgainAfterAnError() {
        AtomicBoolean planted = new AtomicBoolean();
        Relay relay = started(builder()
                .settings(SETTINGS.withPollInterval(Duration.ofHours(1)))
                .checkpoints(reached -> {
                    if (reached == Place.SENDING && planted.compareAndSet(false, true)) {
                        throw new AssertionError("scripted");
                    }
                }));
        Outbox outbox = Outbox.builder()
                .store(parts.store)
                .transactions(parts.transactions)
                .relay(relay)
                .build();
        parts.transactions.inTransaction(() -> outbox.publish(RelayParts.event("A", 0)));
        await().dontCatchUncaughtExceptions().until(() -> parts.heard.all().contains("failed scripted"));
        parts.transactions.inTransaction(() -> outbox.publish(RelayParts.event("A", 1)));
        await().dontCatchUncaughtExceptions().until(relay::isRunning);

        parts.transactions.inTransaction(() -> outbox.publish(RelayParts.event("A", 2)));

        await().until(() -> transport.sent().contains("A-2"));
        await().until(() -> {
            parts.advance(SETTINGS.lease());
            relay.wake();
            return parts.table.backlog().sent() == 3;
        });
    }

    @Test
    void aRelayThatFailsAgainAndAgainCanBeStopped() {
        parts.appendDue("A", 1);
        transport.holdBack();
        Relay relay = started(builder().checkpoints(place -> {
            if (place == Place.CLAIMED) {
                throw new AssertionError("scripted");
            }
        }));
        await().dontCatchUncaughtExceptions().until(() -> {
            parts.advance(SETTINGS.lease());
            return parts.heard.all().stream().filter("failed scripted"::equals).count() == 2;
        });

        assertThat(relay.stop(Duration.ofSeconds(5)))
                .as("leases return what it held")
                .isFalse();

        assertThat(relay.isRunning()).isFalse();
        parts.advance(SETTINGS.lease());
        assertThat(parts.claimedByAnother()).hasSize(1);
        assertThat(relay.stop(Duration.ofSeconds(5))).as("nothing more to do").isTrue();
    }

    @Test
    void aStopWithoutTheDatabaseEndsInTimeAndClosesTheTransport() {
        parts.appendDue("A", 3);
        transport.holdBack();
        Relay relay = started(builder());
        await().until(() -> transport.sent().size() == 3);
        parts.store.beforeClaim(() -> {
            throw WatchedOutboxStore.failure(Reason.UNAVAILABLE);
        });
        parts.store.beforeSettle(settlements -> {
            throw WatchedOutboxStore.failure(Reason.UNAVAILABLE);
        });
        transport.answerHeldBack();

        assertThat(relay.stop(Duration.ofSeconds(1))).isFalse();
        relay.close();
        relay.close();

        assertThat(relay.isRunning()).isFalse();
        assertThat(relay.stats().unsettled()).isEqualTo(3);
        assertThat(transport.timesClosed()).isGreaterThanOrEqualTo(1);
        parts.advance(SETTINGS.lease());
        assertThat(parts.claimedByAnother()).as("leases return them").hasSize(3);
    }

    @Test
    void aStopDoesNotWaitForThreadsThatHangInTheDatabase() throws Exception {
        parts.appendDue("A", 3);
        transport.holdBack();
        Relay relay = started(builder());
        await().until(() -> transport.sent().size() == 3);
        CountDownLatch database = new CountDownLatch(1);
        CountDownLatch hanging = new CountDownLatch(2);
        parts.store.beforeClaim(() -> hang(hanging, database));
        parts.store.beforeSettle(settlements -> hang(hanging, database));
        transport.answerHeldBack();
        assertThat(hanging.await(10, TimeUnit.SECONDS)).isTrue();
        long begin = System.nanoTime();

        assertThat(relay.stop(Duration.ofSeconds(1))).isFalse();
        relay.close();

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
        assertThat(transport.timesClosed()).isEqualTo(1);
        database.countDown();
    }

    @Test
    void aThreadThatHungDuringAStopDoesNotMeddleWithTheNextStart() throws Exception {
        Relay relay = started(builder());
        CountDownLatch database = new CountDownLatch(1);
        CountDownLatch hanging = new CountDownLatch(1);
        AtomicBoolean once = new AtomicBoolean();
        parts.store.beforeClaim(() -> {
            if (once.compareAndSet(false, true)) {
                hang(hanging, database);
            }
        });
        assertThat(hanging.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(relay.stop(Duration.ofMillis(500))).isFalse();

        relay.start();
        database.countDown();
        parts.appendDue("A", 100);

        await().until(() -> {
            parts.advance(Duration.ofSeconds(1));
            return parts.table.backlog().sent() == 100;
        });
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals("waybill-claim"))
                        .count()
                == 1);
    }

    /** As a driver does that heeds no interrupt. */
    private static void hang(CountDownLatch hanging, CountDownLatch until) {
        hanging.countDown();
        boolean over = false;
        while (!over) {
            try {
                over = until.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                over = false; // a socket read goes on
            }
        }
    }

    private Relay.Builder builder() {
        return Relay.builder()
                .store(parts.store)
                .transport(transport)
                .settings(SETTINGS)
                .listener(parts.heard)
                .ticker(parts.ticker::get);
    }

    private Relay started(Relay.Builder builder) {
        Relay relay = builder.build();
        relays.add(relay);
        relay.start();
        return relay;
    }
}
