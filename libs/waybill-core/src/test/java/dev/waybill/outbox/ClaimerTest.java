package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Settlement;
import dev.waybill.store.UnreadableRow;
import dev.waybill.transport.SendFailure;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Claims: what is taken, how much at once, and when nothing is. */
@Timeout(20)
class ClaimerTest {

    private final RelayParts parts = new RelayParts();
    private final Claimer claimer =
            parts.claimer(RelaySettings.defaults().withBatch(2).withPollInterval(Duration.ofHours(1)));

    @Test
    void dueRowsWaitToBeSentUnderALease() {
        parts.appendDue("A", 3);

        assertThat(claimer.claim(10)).isEqualTo(3);

        assertThat(parts.queue.claimedWaiting()).isEqualTo(3);
        assertThat(parts.inFlight.all())
                .hasSize(3)
                .allSatisfy(
                        event -> assertThat(event.leaseLeft(parts.hooks.now())).isEqualTo(RelayParts.LEASE.toNanos()));
        assertThat(parts.claimedByAnother()).isEmpty();
    }

    @Test
    void aFullClaimAsksForTwiceAsManyUpToTenBatchesAndAPartialOneStartsOver() throws InterruptedException {
        parts.appendDue("A", 61);

        for (int step = 0; step < 7; step++) {
            claimer.wake();
            claimer.step();
            sendEverything();
        }

        assertThat(parts.store.claimLimits).containsExactly(2, 4, 8, 16, 20, 20, 2);
        assertThat(parts.store.claimed).containsExactly(2, 4, 8, 16, 20, 11, 0);
    }

    @Test
    void nothingIsClaimedWhileEnoughWaitsToBeSent() throws InterruptedException {
        parts.appendDue("A", 100);

        for (int step = 0; step < 6; step++) {
            claimer.step();
        }

        assertThat(parts.store.claimLimits).containsExactly(2, 4, 8, 16);
        assertThat(parts.queue.size()).isEqualTo(30);
    }

    @Test
    void largeEventsAreClaimedInSmallNumbersAndAgainWhenTheirRoomIsFree() throws InterruptedException {
        List<Event> large =
                IntStream.range(0, 30).mapToObj(i -> large(i, 300_000)).toList();
        parts.transactions.inTransaction(() -> parts.store.append(large, null));
        Claimer hungry = parts.claimer(RelaySettings.defaults().withBatch(100).withPollInterval(Duration.ofHours(1)));

        hungry.step();
        hungry.step();
        assertThat(parts.store.claimed).as("half of 4 MiB is for claims").containsExactly(6);
        assertThat(parts.inFlight.claimedBytes().used()).isBetween(1_800_000L, 2L << 20);

        for (int step = 0; step < 20 && parts.store.rowsClaimed() < 30; step++) {
            sendEverything();
            List.copyOf(parts.inFlight.all()).forEach(parts.inFlight::remove);
            hungry.step();
        }
        assertThat(parts.store.claimed).as("and no pause between them").containsExactly(6, 6, 6, 6, 6);
        List.copyOf(parts.inFlight.all()).forEach(parts.inFlight::remove);
        assertThat(parts.inFlight.claimedBytes().used()).isZero();
    }

    @Test
    void aClaimThatEndsAtALargeEventIsFollowedByAnotherWithoutAPause() throws InterruptedException {
        List<Event> large =
                IntStream.range(0, 4).mapToObj(i -> large(i, 700_000)).toList();
        parts.transactions.inTransaction(() -> parts.store.append(large, null));
        Claimer hungry = parts.claimer(RelaySettings.defaults().withBatch(100).withPollInterval(Duration.ofHours(1)));

        hungry.step();
        assertThat(parts.store.claimed).as("half of 4 MiB is for claims").containsExactly(2);
        hungry.step();

        assertThat(parts.store.claimed).containsExactly(2, 1);
        assertThat(parts.inFlight.claimedBytes().isTight()).isTrue();
    }

    @Test
    void anEventThatIsLargerThanAllRoomIsClaimedAlone() {
        parts.transactions.inTransaction(() -> parts.store.append(List.of(large(1, 3 << 20), large(2, 10)), null));

        assertThat(claimer.claim(10)).isEqualTo(1);
        assertThat(parts.inFlight.all()).extracting(ClaimedEvent::eventId).containsExactly("large-1");
    }

    @Test
    void nothingIsClaimedWhileTheBrokerIsDown() throws InterruptedException {
        parts.appendDue("A", 1);
        parts.breakers.failed("A", "row", SendFailure.CONNECTION_LOST, "gone", 0);

        claimer.step();

        assertThat(parts.store.claimLimits).isEmpty();
    }

    @Test
    void rowsOfATopicThatIsDownStayWhereTheyAre() {
        parts.appendDue("A", 2);
        parts.appendDue("B", 2);
        parts.breakers.failed("A", "row", SendFailure.TOPIC_UNAVAILABLE, "no such topic", 0);

        assertThat(claimer.claim(10)).isEqualTo(2);

        assertThat(parts.inFlight.all()).extracting(ClaimedEvent::eventId).containsExactlyInAnyOrder("B-0", "B-1");
    }

    @Test
    void anUnreadableRowIsMarkedDeadAndTheOthersGoOn() {
        parts.table.insert("bad", "{broken", null);
        parts.appendDue("A", 1);

        assertThat(claimer.claim(10)).isEqualTo(2);

        assertThat(parts.queue.size()).isEqualTo(1);
        List<Settlement> settlements = parts.takeSettlements();
        assertThat(settlements).singleElement().isInstanceOf(Settlement.Dead.class);
        Settlement.Dead dead = (Settlement.Dead) settlements.get(0);
        assertThat(dead.row()).isInstanceOf(UnreadableRow.class);
        assertThat(dead.row().eventId()).isEqualTo("bad");
        assertThat(dead.error()).startsWith("UNSERIALISABLE: ").contains("{broken");
    }

    @Test
    void anUnreadableRowThatIsClaimedAgainBeforeItIsSettledIsMarkedDeadOnce() {
        parts.table.insert("bad", "{broken", null);
        claimer.claim(10);
        parts.advance(RelayParts.LEASE.plusSeconds(1));

        assertThat(claimer.claim(10)).isEqualTo(1);

        assertThat(parts.takeSettlements()).hasSize(1);
    }

    @Test
    void aRowThatThisRelayWasTooSlowForIsNotSentTwice() {
        parts.appendDue("A", 1);
        claimer.claim(10);
        ClaimedEvent first = parts.inFlight.all().iterator().next();
        parts.advance(RelayParts.LEASE.plusSeconds(1));

        assertThat(claimer.claim(10)).isEqualTo(1);

        assertThat(parts.queue.size()).isEqualTo(1);
        assertThat(parts.inFlight.all()).containsExactly(first);
        assertThat(first.leaseLeft(parts.hooks.now())).isEqualTo(RelayParts.LEASE.toNanos());
        assertThat(parts.table.settle(List.of(new Settlement.Sent(first, null))))
                .as("the newer claim's fence counts")
                .isEqualTo(1);
    }

    @Test
    void somethingDueEndsThePauseAfterAnEmptyClaim() throws InterruptedException {
        claimer.step();
        Thread waiting = new Thread(this::stepQuietly);
        waiting.start();
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        parts.appendDue("A", 1);

        claimer.wake();
        waiting.join();

        assertThat(parts.store.claimed).containsExactly(0, 1);
    }

    private static Event large(int number, int bytes) {
        return Event.builder("OrderCreated")
                .eventId("large-" + number)
                .destination(Destination.of("A"))
                .payload("\"" + "x".repeat(bytes) + "\"")
                .build();
    }

    private void stepQuietly() {
        try {
            claimer.step();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void sendEverything() {
        while (parts.queue.nextNow() != null) {
            // taken by the sender
        }
    }
}
