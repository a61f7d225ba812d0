package dev.waybill.memory;

import static dev.waybill.memory.MarketTopology.DEAD;
import static dev.waybill.memory.MarketTopology.DELAY;
import static dev.waybill.memory.MarketTopology.EXCHANGE;
import static dev.waybill.memory.MarketTopology.FULFILMENT;
import static dev.waybill.memory.MarketTopology.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.message.Destination;
import dev.waybill.message.Message;
import dev.waybill.testkit.ManualClock;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult.Confirmed;
import dev.waybill.transport.SendResult.NotConfirmed;
import dev.waybill.transport.TransportException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Declared queues, looked at from outside; {@link ManualClock} moves the time. */
class MemoryQueuesTest {

    private final ManualClock clock = ManualClock.at("2026-01-01T00:00:00Z");
    private final MemoryBroker broker = MarketTopology.declare(new MemoryBroker(clock), Duration.ofMinutes(15));

    @Test
    void everyQueueWithAMatchingKeyGetsACopyAndEachOnlyOne() {
        broker.declareQueue(QueueSpec.of("audit"))
                .bind("audit", EXCHANGE, "order.#")
                .bind("audit", EXCHANGE, "*.paid");

        Message sent = MarketTopology.send(broker, "order.paid");

        assertThat(broker.waiting("audit")).singleElement().satisfies(copy -> {
            assertThat(copy.messageId()).isEqualTo(sent.event().eventId());
            assertThat(copy.body()).isEqualTo(sent.body());
        });
        assertThat(broker.depth(FULFILMENT)).isOne();
        assertThat(broker.depth(TIMEOUT)).isZero();
    }

    @Test
    void aKeyThatNobodyBoundIsUnroutableAndATopicIsNot() {
        assertThat(broker.take(MarketTopology.message("order.lost")))
                .isInstanceOfSatisfying(
                        NotConfirmed.class,
                        failed -> assertThat(failed.failure()).isEqualTo(SendFailure.UNROUTABLE));

        Message toATopic = MarketTopology.message("order.lost");
        Destination topic = Destination.of("ORDER_TOPIC", "CREATED");
        assertThat(broker.take(new Message(topic, toATopic.event(), toATopic.body())))
                .isInstanceOf(Confirmed.class);
        assertThat(broker.read("ORDER_TOPIC")).hasSize(1);
    }

    @Test
    void withoutItsLastBindingAnExchangeReturnsEverything() {
        broker.unbind(FULFILMENT, EXCHANGE, "order.paid");

        assertThat(broker.take(MarketTopology.message("order.paid"))).isInstanceOf(NotConfirmed.class);

        broker.bind(FULFILMENT, EXCHANGE, "order.paid");
        MarketTopology.send(broker, "order.paid");
        assertThat(broker.depth(FULFILMENT)).isOne();
    }

    @Test
    void aMessageExpiresWhenItsTimeIsUpAndNotBefore() {
        Message first = MarketTopology.send(broker, "order.timeout.delay");
        clock.advance(Duration.ofMinutes(1));
        Message second = MarketTopology.send(broker, "order.timeout.delay");

        clock.advance(Duration.ofMinutes(14).minusMillis(1));
        assertThat(broker.depth(DELAY)).isEqualTo(2);
        clock.advance(Duration.ofMillis(1));
        assertThat(broker.waiting(TIMEOUT))
                .extracting(QueuedMessage::messageId)
                .containsExactly(first.event().eventId());
        clock.advance(Duration.ofMinutes(1));
        assertThat(broker.waiting(TIMEOUT))
                .extracting(QueuedMessage::messageId)
                .containsExactly(first.event().eventId(), second.event().eventId());

        assertThat(broker.waiting(TIMEOUT).get(0)).satisfies(copy -> {
            assertThat(copy.body()).isEqualTo(first.body());
            assertThat(copy.attempt()).isOne();
        });
        assertThat(broker.depth(DELAY)).isZero();
        assertThat(broker.depth(DEAD)).isZero();
    }

    @Test
    void whatExpiresWithNowhereToGoIsDropped() {
        broker.declareQueue(QueueSpec.of("short").withMessageTtl(Duration.ofSeconds(1)))
                .bind("short", EXCHANGE, "short");
        MarketTopology.send(broker, "short");

        clock.advance(Duration.ofSeconds(1));

        assertThat(broker.depth("short")).isZero();
    }

    @Test
    void queuesMayExpireIntoEachOtherByTheirNames() {
        broker.declareQueue(QueueSpec.of("ping")
                        .withMessageTtl(Duration.ofSeconds(1))
                        .withDeadLetters("", "pong"))
                .declareQueue(QueueSpec.of("pong").withMessageTtl(Duration.ZERO).withDeadLetters("", "ping"))
                .bind("ping", EXCHANGE, "ping");
        MarketTopology.send(broker, "ping");

        for (int i = 0; i < 5; i++) {
            clock.advance(Duration.ofSeconds(1));
            assertThat(broker.depth("ping") + broker.depth("pong")).isOne();
        }
    }

    @Test
    void theSameDeclarationAgainIsNothingAndAnotherIsRefused() {
        MarketTopology.send(broker, "order.paid");
        MarketTopology.declare(broker, Duration.ofMinutes(15));
        assertThat(broker.depth(FULFILMENT)).isOne();

        assertThatThrownBy(() -> MarketTopology.declare(broker, Duration.ofMinutes(20)))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(DELAY + " exists with other settings");
    }

    @Test
    void whatIsATopicCannotBecomeAQueueOrAnExchangeNorTheOtherWayRound() {
        broker.createTopic("ORDER_TOPIC");

        assertThatThrownBy(() -> broker.declareQueue(QueueSpec.of("ORDER_TOPIC")))
                .hasMessageContaining("in use as a topic");
        assertThatThrownBy(() -> broker.bind(DEAD, "ORDER_TOPIC", "#")).hasMessageContaining("in use as a topic");
        assertThatThrownBy(() -> broker.bind("nowhere", EXCHANGE, "#")).hasMessageContaining("nobody declared queue");
        assertThatThrownBy(() -> broker.createTopic(EXCHANGE)).hasMessageContaining("is an exchange");
        Message sent = MarketTopology.message("x");
        assertThat(broker.take(new Message(Destination.of(DEAD), sent.event(), sent.body())))
                .isInstanceOf(NotConfirmed.class);
    }
}
