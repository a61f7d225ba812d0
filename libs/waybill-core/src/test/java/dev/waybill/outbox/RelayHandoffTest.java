package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.Event;
import dev.waybill.store.StoreException;
import dev.waybill.transport.SendFailure;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From a commit to the relay of the same process: without a claim where it can be, and never without the commit. */
@Timeout(20)
class RelayHandoffTest {

    private static final RelaySettings SETTINGS =
            RelaySettings.defaults().withPollInterval(Duration.ofHours(1)).withSettling(100, Duration.ofMillis(1));

    private final RelayParts parts = new RelayParts();
    private final ScriptedTransport transport = new ScriptedTransport();
    private Relay relay = relay(SETTINGS);

    @AfterEach
    void stop() {
        transport.answerHeldBack();
        assertThat(relay.stop(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void aCommittedEventIsSentWithoutAClaim() {
        Outbox outbox = started();

        parts.transactions.inTransaction(() -> {
            outbox.publish(RelayParts.event("A", 0));
            assertThat(transport.sent()).as("before the commit").isEmpty();
            return true;
        });

        awaitSettled(1);
        assertThat(transport.sent()).containsExactly("A-0");
        assertThat(parts.store.rowsClaimed()).isZero();
    }

    @Test
    void whatIsRolledBackIsNeverSent() {
        Outbox outbox = started();
        assertThatThrownBy(() -> parts.transactions.inTransaction(() -> {
                    outbox.publish(RelayParts.event("A", 0));
                    throw new IllegalStateException("business says no");
                }))
                .hasMessage("business says no");

        publish(outbox, RelayParts.event("A", 1));

        awaitSettled(1);
        assertThat(transport.sent()).containsExactly("A-1");
    }

    @Test
    void whatARolledBackSavepointUndidIsNeverSent() {
        Outbox outbox = started();

        parts.transactions.inTransaction(() -> {
            outbox.publish(RelayParts.event("A", 0));
            Object savepoint = parts.transactions.savepoint();
            outbox.publish(RelayParts.event("A", 1));
            parts.transactions.rollbackTo(savepoint);
            outbox.publish(RelayParts.event("A", 2));
            return true;
        });

        awaitSettled(2);
        assertThat(transport.sent()).containsExactly("A-0", "A-2");
        assertThat(parts.store.rowsClaimed()).isZero();
        assertThat(parts.table.backlog().waiting()).isZero();
    }

    @Test
    void whatATransactionLostBeforeItsCommitIsNeverSent() {
        Outbox outbox = started();
        parts.store.lost.add("A-1");

        publish(outbox, RelayParts.events("A", 3));
        await().until(() -> transport.sent().size() == 2 && relay.stats().unsettled() == 0);

        assertThat(transport.sent()).containsExactly("A-0", "A-2");
        assertThat(relay.stop(Duration.ofSeconds(10)))
                .as("and holds up nothing")
                .isTrue();
        assertThat(transport.sent()).hasSize(2);
    }

    @Test
    void whatCannotBeLookedForIsNotSentUnseenButClaimedLater() {
        Outbox outbox = started();
        await().until(() -> !parts.store.claimLimits.isEmpty()); // the next claim would come in an hour
        parts.store.beforeCommitCheck(() -> {
            throw WatchedOutboxStore.failure(StoreException.Reason.UNAVAILABLE);
        });

        publish(outbox, RelayParts.event("A", 0));

        assertReleasedAndClaimedLater();
    }

    @Test
    void whatDoesNotFitIntoTheQueueIsDueAndClaimed() {
        relay = relay(SETTINGS.withHandoffCapacity(2));
        Outbox outbox = started();
        await().until(() -> !parts.store.claimLimits.isEmpty()); // the next claim would come in an hour

        publish(outbox, RelayParts.events("A", 3));

        awaitSettled(3);
        assertThat(parts.store.rowsClaimed()).isEqualTo(3);
    }

    @Test
    void eventsThatAreTooManyBytesTogetherAreDueAndClaimed() {
        relay = relay(SETTINGS.withMaxBytes(1 << 20));
        Outbox outbox = started();
        await().until(() -> !parts.store.claimLimits.isEmpty()); // the next claim would come in an hour
        List<Event> large = RelayParts.events("A", 3).stream()
                .map(event -> event.toBuilder()
                        .payload("\"" + "x".repeat(200_000) + "\"")
                        .build())
                .toList();

        publish(outbox, large);
        awaitSettled(3);
        assertThat(parts.store.rowsClaimed())
                .as("600 kB do not fit into 512 KiB")
                .isEqualTo(3);

        for (int i = 0; i < 10; i++) {
            publish(outbox, large.get(0).toBuilder().eventId("alone-" + i).build());
            awaitSettled(4 + i);
        }
        assertThat(parts.store.rowsClaimed())
                .as("each alone fits, and gives its room back")
                .isEqualTo(3);
    }

    @Test
    void bytesThatWereReservedInVainAreThereForTheNext() {
        relay = relay(SETTINGS.withMaxBytes(1 << 20));
        Outbox outbox = started();
        Event large = RelayParts.event("A", 0).toBuilder()
                .payload("\"" + "x".repeat(300_000) + "\"")
                .build();
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> parts.transactions.inTransaction(() -> {
                        outbox.publish(large);
                        throw new IllegalStateException("business says no");
                    }))
                    .hasMessage("business says no");
        }

        publish(outbox, large);

        awaitSettled(1);
        assertThat(parts.store.rowsClaimed()).isZero();
    }

    @Test
    void roomThatWasReservedInVainIsThereForTheNext() {
        relay = relay(SETTINGS.withHandoffCapacity(1));
        Outbox outbox = started();
        publish(outbox, RelayParts.event("A", 0));
        awaitSettled(1);
        for (int i = 0; i < 3; i++) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> publish(outbox, RelayParts.event("A", 0)))
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.DUPLICATE));
        }

        publish(outbox, RelayParts.event("A", 1));

        awaitSettled(2);
        assertThat(parts.store.rowsClaimed()).as("both were handed off").isZero();
    }

    @Test
    void aCommitThatComesLateGivesItsEventsBackToTheTable() {
        Outbox outbox = started();

        parts.transactions.inTransaction(() -> {
            outbox.publish(RelayParts.event("A", 0));
            parts.advance(SETTINGS.lease().dividedBy(2).plusMillis(1));
            return true;
        });

        assertReleasedAndClaimedLater();
    }

    private void assertReleasedAndClaimedLater() {
        await().until(() -> relay.stats().released() == 1);
        assertThat(transport.sent()).isEmpty();
        relay.wake();
        awaitSettled(1);
        assertThat(parts.store.rowsClaimed()).isEqualTo(1);
    }

    @Test
    void aRelayThatIsNotRunningTakesNothing() {
        Outbox outbox = outbox();

        publish(outbox, RelayParts.event("A", 0));

        assertThat(parts.claimedByAnother()).as("due for anybody at once").hasSize(1);
        assertThat(relay.stats().waiting()).isZero();
    }

    @Test
    void whileTheBrokerIsDownEventsStayInTheTable() {
        Outbox outbox = started();
        transport.probe(target -> false);
        transport.fail(SendFailure.CONNECTION_LOST);
        publish(outbox, RelayParts.event("A", 0));
        await().until(() -> parts.heard.all().contains("down *"));

        publish(outbox, RelayParts.event("A", 1));

        assertThat(parts.claimedByAnother())
                .singleElement()
                .satisfies(claimed -> assertThat(claimed.eventId()).isEqualTo("A-1"));
        assertThat(transport.sent()).containsExactly("A-0");
    }

    private Relay relay(RelaySettings settings) {
        return Relay.builder()
                .store(parts.store)
                .transport(transport)
                .settings(settings)
                .listener(parts.heard)
                .ticker(parts.ticker::get)
                .build();
    }

    private Outbox started() {
        relay.start();
        return outbox();
    }

    private Outbox outbox() {
        return Outbox.builder()
                .store(parts.store)
                .transactions(parts.transactions)
                .relay(relay)
                .build();
    }

    private void publish(Outbox outbox, Event event) {
        publish(outbox, List.of(event));
    }

    private void publish(Outbox outbox, List<Event> events) {
        parts.transactions.inTransaction(() -> outbox.publishAll(events));
    }

    private void awaitSettled(int events) {
        await().until(() -> parts.table.backlog().sent() == events);
    }
}
