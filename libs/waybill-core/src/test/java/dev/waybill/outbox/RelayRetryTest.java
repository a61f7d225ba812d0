package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.retry.FixedSchedule;
import dev.waybill.retry.RetryRules;
import dev.waybill.store.OperatorDecision;
import dev.waybill.testkit.ManualRelay;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendTarget;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sends that fail: tried again after their delays, given up after the last one, and not blamed for an outage. */
@Timeout(20)
class RelayRetryTest {

    private final RelayParts parts = new RelayParts();
    private final ScriptedTransport transport = new ScriptedTransport();
    private final RetryRules rules = new RetryRules(
            FixedSchedule.of(Duration.ofSeconds(5), Duration.ofSeconds(30)),
            Map.of("Impatient", FixedSchedule.of(Duration.ofSeconds(1))));
    private final ManualRelay relay = new ManualRelay(Relay.builder()
            .store(parts.store)
            .transport(transport)
            .retries(rules)
            .listener(parts.heard)
            .ticker(parts.ticker::get)
            .build());

    @Test
    void aFailedSendIsRepeatedAfterItsDelay() {
        parts.appendDue("A", 1);
        transport.fail(SendFailure.NACKED);
        assertThat(relay.sendBatch()).isEqualTo(1);
        assertThat(parts.table.backlog().retrying()).isEqualTo(1);

        parts.advance(Duration.ofMillis(4_999));
        assertThat(relay.sendBatch()).as("not due yet").isZero();
        transport.confirm();
        parts.advance(Duration.ofMillis(1));
        assertThat(relay.sendBatch()).isEqualTo(1);

        assertThat(parts.table.backlog().sent()).isEqualTo(1);
        assertThat(transport.sent()).containsExactly("A-0", "A-0");
        assertThat(parts.heard.all()).containsExactly("retried A-0 1 PT5S", "sent A-0");
    }

    @Test
    void afterItsLastRetryAnEventIsDeadWithItsLastError() {
        parts.appendDue("A", 1);
        transport.fail(SendFailure.NACKED);

        for (int round = 0; round < 5; round++) {
            relay.sendDue();
            parts.advance(Duration.ofSeconds(30));
        }

        assertThat(transport.sent()).hasSize(3);
        assertThat(parts.heard.all()).containsExactly("retried A-0 1 PT5S", "retried A-0 2 PT30S", "dead A-0 3");
        assertThat(parts.table.dead(10)).singleElement().satisfies(dead -> {
            assertThat(dead.eventId()).isEqualTo("A-0");
            assertThat(dead.attempts()).isEqualTo(3);
            assertThat(dead.error()).isEqualTo("NACKED: scripted");
        });
    }

    @Test
    void eachTypeFollowsItsOwnSchedule() {
        publish(Event.builder("Impatient").eventId("i"));
        transport.fail(SendFailure.NACKED);

        relay.sendDue();
        parts.advance(Duration.ofSeconds(1));
        relay.sendDue();

        assertThat(parts.heard.all()).containsExactly("retried i 1 PT1S", "dead i 2");
    }

    @ParameterizedTest
    @EnumSource(
            value = SendFailure.class,
            names = {"TOO_LARGE", "ILLEGAL_MESSAGE"})
    void whatNoSendCanHelpIsDeadAtOnce(SendFailure failure) {
        parts.appendDue("A", 1);
        transport.fail(failure);

        relay.sendDue();

        assertThat(parts.heard.all()).containsExactly("dead A-0 1");
        assertThat(transport.sent()).hasSize(1);
    }

    @Test
    void anEventWithoutADestinationIsDeadAndTheBrokerIsNotAsked() {
        parts.transactions.inTransaction(() -> parts.store.append(List.of(Event.of("Lost", "{}")), null));

        relay.sendDue();

        assertThat(transport.sent()).isEmpty();
        assertThat(parts.table.dead(10))
                .singleElement()
                .satisfies(dead -> assertThat(dead.error()).startsWith("NO_DESTINATION: "));
    }

    @Test
    void aRouterThatThrowsFailsItsOwnEventAloneAndEndsInDead() {
        ManualRelay relay = routed(event -> {
            if (event.eventId().equals("bad")) {
                throw new IllegalStateException("no shop for this event");
            }
            return Destination.of("A");
        });
        appendWithoutDestination("bad");
        appendWithoutDestination("good");

        relay.sendDue();
        assertThat(transport.sent()).containsExactly("good");
        assertThat(parts.heard.all()).containsExactly("retried bad 1 PT5S", "sent good");
        for (int round = 0; round < 5; round++) {
            parts.advance(Duration.ofSeconds(30));
            relay.sendDue();
        }

        assertThat(parts.table.dead(10)).singleElement().satisfies(dead -> {
            assertThat(dead.eventId()).isEqualTo("bad");
            assertThat(dead.attempts()).isEqualTo(3);
            assertThat(dead.error()).startsWith("NOT_PREPARED: ").contains("no shop for this event");
        });
        assertThat(transport.sent()).containsExactly("good");
    }

    @Test
    void anErrorInARouterIsNotBlamedOnTheEvent() {
        ManualRelay relay = routed(event -> {
            throw new AssertionError("not the event's fault");
        });
        appendWithoutDestination("a");

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(relay::sendDue)
                .withMessage("not the event's fault");

        parts.advance(RelayParts.LEASE);
        assertThat(parts.claimedByAnother())
                .singleElement()
                .satisfies(event -> assertThat(event.attempts()).isZero());
    }

    @Test
    void aRequeuedEventHasAllItsAttemptsAgain() {
        parts.appendDue("A", 1);
        transport.fail(SendFailure.TOO_LARGE);
        relay.sendDue();
        transport.fail(SendFailure.NACKED);

        assertThat(parts.table.requeue(List.of("A-0"), new OperatorDecision("ann", "limit raised")))
                .isEqualTo(1);
        relay.sendDue();

        assertThat(parts.heard.all()).containsExactly("dead A-0 1", "retried A-0 1 PT5S");
    }

    @Test
    void whatWaitsDuringAnOutageSpendsNoAttempt() {
        parts.appendDue("A", 5);
        transport.batchLimit(1);
        transport.fail(SendFailure.CONNECTION_LOST);

        relay.sendBatch();

        assertThat(transport.sent()).containsExactly("A-0");
        var backlog = parts.table.backlog();
        assertThat(backlog.retrying()).as("the one that was at the broker").isEqualTo(1);
        assertThat(backlog.fresh()).isEqualTo(4);
        assertThat(parts.claimedByAnother()).as("due for anybody at once").hasSize(4);
    }

    @ParameterizedTest
    @EnumSource(
            value = SendFailure.class,
            names = {"NO_CONNECTION", "BLOCKED", "TOPIC_UNAVAILABLE"})
    void theFirstEventOfAnOutageSpendsNoAttemptEither(SendFailure failure) {
        parts.appendDue("A", 2);
        transport.batchLimit(1);
        transport.fail(failure);

        relay.sendBatch();

        assertThat(transport.sent()).containsExactly("A-0");
        assertThat(parts.table.backlog().fresh()).isEqualTo(2);
        assertThat(parts.heard.all()).hasSize(1).allMatch(line -> line.startsWith("down "));
    }

    @Test
    void anEventThatClosesItsTopicAgainAndAgainEndsInDeadWhileOthersFlow() {
        parts.appendDue("A", 2);
        transport.answer(message -> message.event().eventId().equals("A-0")
                ? new SendResult.NotConfirmed(SendFailure.TOPIC_UNAVAILABLE, "406 PRECONDITION_FAILED")
                : new SendResult.Confirmed("id"));

        int good = 2;
        for (int second = 0; second < 300 && parts.table.backlog().dead() == 0; second++) {
            Event other = RelayParts.event("A", good++);
            parts.transactions.inTransaction(() -> parts.store.append(List.of(other), null));
            relay.sendDue();
            parts.advance(Duration.ofSeconds(1));
        }

        assertThat(parts.table.dead(10))
                .singleElement()
                .satisfies(dead -> assertThat(dead.eventId()).isEqualTo("A-0"));
    }

    @Test
    void anEventThatClosesItsTopicEndsInDeadAlsoWhenItIsAlone() {
        parts.appendDue("A", 1);
        transport.answer(message -> new SendResult.NotConfirmed(SendFailure.TOPIC_UNAVAILABLE, "403 ACCESS_REFUSED"));

        for (int second = 0; second < 300 && parts.table.backlog().dead() == 0; second++) {
            relay.sendDue();
            parts.advance(Duration.ofSeconds(1));
        }

        assertThat(parts.table.backlog().dead()).isEqualTo(1);
    }

    @Test
    void aTopicThatRefusesEverythingForMinutesKillsNoEventAndSlowsNoOther() {
        parts.appendDue("FULL", 300);
        transport.answer(message -> message.destination().topic().equals("FULL")
                ? new SendResult.NotConfirmed(SendFailure.NACKED, "queue is full")
                : new SendResult.Confirmed("id"));

        long inTheFirstMoment = 0;
        for (int second = 0; second < 180; second++) {
            Event other = RelayParts.event("GOOD", second);
            parts.transactions.inTransaction(() -> parts.store.append(List.of(other), null));
            relay.sendDue();
            parts.advance(Duration.ofSeconds(1));
            inTheFirstMoment = second == 0 ? sentTo("FULL") : inTheFirstMoment;
        }

        var backlog = parts.table.backlog();
        assertThat(backlog.dead()).isZero();
        assertThat(backlog.sent()).as("the other topic").isEqualTo(180);
        assertThat(backlog.retrying()).as("those that opened the breaker").isLessThanOrEqualTo(20);
        assertThat(sentTo("FULL") - inTheFirstMoment).isLessThan(180);
        assertThat(parts.heard.all()).containsOnlyOnce("down FULL");

        transport.confirm();
        for (int second = 0; second < 10; second++) {
            relay.sendDue();
            parts.advance(Duration.ofSeconds(1));
        }
        assertThat(parts.table.backlog().sent()).isEqualTo(480);
        assertThat(parts.heard.all()).containsOnlyOnce("up FULL").noneMatch(line -> line.startsWith("dead"));
    }

    @Test
    void eventsThatTheirTopicAlwaysRefusesEndInDeadWhileOthersOfItFlow() {
        parts.appendDue("A", 30);
        transport.answer(message -> Integer.parseInt(message.event().eventId().substring(2)) < 30
                ? new SendResult.NotConfirmed(SendFailure.NACKED, "queue is full")
                : new SendResult.Confirmed("id"));

        int good = 30;
        for (int second = 0; second < 1_500 && parts.table.backlog().dead() < 30; second++) {
            Event other = RelayParts.event("A", good++);
            parts.transactions.inTransaction(() -> parts.store.append(List.of(other), null));
            relay.sendDue();
            parts.advance(Duration.ofSeconds(1));
        }
        for (int second = 0; second < 30; second++) {
            relay.sendDue();
            parts.advance(Duration.ofSeconds(1));
        }

        assertThat(parts.table.backlog().dead()).isEqualTo(30);
        assertThat(parts.table.backlog().sent()).as("all others").isEqualTo(good - 30);
    }

    @Test
    void roundsByHandFindTheBrokerAgainAfterAnOutage() {
        ManualRelay relay = onRealTime();
        parts.appendDue("A", 5);
        transport.batchLimit(1);
        transport.fail(SendFailure.CONNECTION_LOST);
        relay.sendBatch();
        transport.confirm();
        transport.probe(target -> transport.probed().size() > 2);

        assertThat(relay.sendDue()).isGreaterThanOrEqualTo(4);

        assertThat(transport.probed()).hasSize(3).containsOnly(SendTarget.WHOLE_BROKER);
        assertThat(parts.table.backlog().sent()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void aRoundByHandTakesNothingWhileTheBrokerStaysDown() {
        Relay relay = Relay.builder().store(parts.store).transport(transport).build();
        parts.appendDue("A", 5);
        transport.fail(SendFailure.CONNECTION_LOST);
        transport.probe(target -> false);
        relay.runOnce(Duration.ofSeconds(10));
        int claims = parts.store.claimLimits.size();

        assertThat(relay.runOnce(Duration.ofMillis(500))).isZero();

        assertThat(parts.store.claimLimits).hasSize(claims);
        assertThat(transport.probed()).isNotEmpty();
    }

    @Test
    void whatNeverLeftThisProcessSpendsNoAttempt() {
        parts.appendDue("A", 3);
        transport.fail(SendFailure.NOT_SENT);

        relay.sendBatch();

        assertThat(parts.table.backlog().retrying()).isZero();
        assertThat(parts.table.backlog().fresh()).isEqualTo(3);
        assertThat(parts.heard.all()).noneMatch(line -> line.startsWith("retried"));
    }

    @Test
    void aTransportThatThrowsLosesNothing() {
        parts.appendDue("A", 1);
        transport.answer(message -> {
            throw new IllegalStateException("broken client");
        });

        relay.sendBatch();

        assertThat(parts.table.backlog().retrying()).isEqualTo(1);
        assertThat(parts.heard.all()).containsExactly("down *", "retried A-0 1 PT5S");
    }

    private ManualRelay routed(Router router) {
        return new ManualRelay(Relay.builder()
                .store(parts.store)
                .transport(transport)
                .router(router)
                .retries(rules)
                .listener(parts.heard)
                .ticker(parts.ticker::get)
                .build());
    }

    private ManualRelay onRealTime() {
        return new ManualRelay(Relay.builder()
                .store(parts.store)
                .transport(transport)
                .retries(rules)
                .listener(parts.heard)
                .build());
    }

    private void appendWithoutDestination(String id) {
        Event event = Event.builder("OrderCreated").eventId(id).build();
        parts.transactions.inTransaction(() -> parts.store.append(List.of(event), null));
    }

    private void publish(Event.Builder event) {
        Event ready = event.destination(RelayParts.event("A", 0).destination()).build();
        parts.transactions.inTransaction(() -> parts.store.append(List.of(ready), null));
    }

    private long sentTo(String topic) {
        return transport.sent().stream().filter(id -> id.startsWith(topic)).count();
    }
}
