package dev.waybill.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.NotConfirmed;
import dev.waybill.transport.SendTarget;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // a subscription works while it is open, nobody calls it
class MemoryBrokerTest {

    private static final Destination ORDERS = Destination.of("ORDERS", "CREATED");

    private final HandMovedClock clock = new HandMovedClock();
    private final MemoryBroker broker = new MemoryBroker(clock);
    private final MemoryTransport transport = new MemoryTransport(broker);
    private final List<SendResult> outcomes = new CopyOnWriteArrayList<>();

    MemoryBrokerTest() {
        transport.start();
    }

    @AfterEach
    void close() {
        transport.close();
    }

    @Test
    void answersBeforeSendReturns() {
        send("a");

        assertThat(outcomes).containsExactly(new SendResult.Confirmed("m-1"));
        assertThat(broker.read("ORDERS"))
                .singleElement()
                .satisfies(delivery -> assertThat(delivery.arrivedAt()).isEqualTo(clock.instant()));
    }

    @Test
    void readersSeeWhatCameBeforeThemAndWhatComesAfter() {
        List<String> seen = new CopyOnWriteArrayList<>();
        send("a");
        try (TopicReader ignored = broker.subscribe(
                "ORDERS", delivery -> seen.add(delivery.message().event().type()))) {
            send("b");
            await().until(() -> seen.size() == 2);
        }
        send("c");

        assertThat(seen).containsExactly("a", "b");
        assertThat(broker.read("ORDERS")).hasSize(3);
    }

    @Test
    void aReaderThatThrowsGoesOnWithTheNextMessage() {
        List<String> seen = new CopyOnWriteArrayList<>();
        try (TopicReader ignored = broker.subscribe("ORDERS", delivery -> {
            seen.add(delivery.message().event().type());
            throw new IllegalStateException("as the test wants");
        })) {
            send("a");
            send("b");
            await().until(() -> seen.size() == 2);
        }
    }

    @Test
    void latencyAndTimeOutFollowTheBrokersClock() {
        broker.latency(Duration.ofSeconds(5));
        send("a");
        assertThat(outcomes).isEmpty();

        clock.move(Duration.ofSeconds(5));
        await().until(() -> outcomes.size() == 1);
        assertThat(outcomes).allMatch(SendResult.Confirmed.class::isInstance);

        broker.latency(Duration.ofMinutes(1));
        send("b");
        clock.move(Duration.ofSeconds(10));
        await().until(() -> outcomes.size() == 2);
        assertThat(failure(outcomes.get(1))).isEqualTo(SendFailure.TIMED_OUT);
    }

    @Test
    void goingDownAnswersWhatWasWaiting() {
        broker.fallSilent();
        send("a");
        broker.goDown();
        await().until(() -> outcomes.size() == 1);
        assertThat(failure(outcomes.get(0))).isEqualTo(SendFailure.CONNECTION_LOST);
    }

    @Test
    void anAlarmBlocksUntilItEnds() {
        broker.block("memory");
        send("a");
        assertThat(failure(outcomes.get(0))).isEqualTo(SendFailure.BLOCKED);
        assertThat(transport.probe(SendTarget.WHOLE_BROKER)).isFalse();

        broker.unblock();
        send("a");
        assertThat(outcomes.get(1)).isInstanceOf(SendResult.Confirmed.class);
    }

    @Test
    void aFunctionMayDecideAboutEachMessage() {
        broker.answer(message -> message.event().type().equals("b") ? SendFailure.NACKED : null);
        send("a", "b", "c");

        assertThat(outcomes).extracting(MemoryBrokerTest::failure).containsExactly(null, SendFailure.NACKED, null);
        assertThat(broker.read("ORDERS")).hasSize(2);
    }

    private void send(String... types) {
        List<Message> batch = Stream.of(types)
                .map(type -> new Message(ORDERS, Event.of(type, "{}"), new byte[] {'{', '}'}))
                .toList();
        transport.send(batch, (index, outcome) -> outcomes.add(outcome));
    }

    private static SendFailure failure(SendResult outcome) {
        return outcome instanceof NotConfirmed failed ? failed.failure() : null;
    }

    private static final class HandMovedClock extends Clock {

        private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

        void move(Duration by) {
            now = now.plus(by);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
