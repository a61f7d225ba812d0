package dev.waybill.memory;

import static dev.waybill.memory.MarketTopology.DEAD;
import static dev.waybill.memory.MarketTopology.DELAY;
import static dev.waybill.memory.MarketTopology.FULFILMENT;
import static dev.waybill.memory.MarketTopology.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.message.Destination;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.Message;
import dev.waybill.testkit.ManualClock;
import dev.waybill.transport.SendResult.Confirmed;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a broker with a file knows after it was closed and opened again, and what it makes of a file that is not whole. */
class MemoryFileTest {

    @TempDir
    private Path folder;

    private final ManualClock clock = ManualClock.at("2026-01-01T00:00:00Z");
    private Path file = Path.of("set below");
    private MemoryBroker broker = new MemoryBroker();

    @BeforeEach
    void open() {
        file = folder.resolve("broker/messages");
        broker = start();
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void whatWasSentIsThereAndWhatWasAcknowledgedIsNot() throws InterruptedException {
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            sent.add(MarketTopology.send(broker, "order.paid").event().eventId());
        }
        MessageSource queue = broker.source(FULFILMENT, "any");
        queue.take(4, stored -> true, 1).forEach(queue::forget);
        queue.take(2, stored -> true, 1); // in hand, and never answered

        restart();

        assertThat(broker.waiting(FULFILMENT))
                .extracting(QueuedMessage::messageId)
                .containsExactlyElementsOf(sent.subList(4, 10));
    }

    @Test
    void whatAHandlerIsDoneWithDoesNotComeBack() throws InterruptedException {
        MarketTopology.send(broker, "order.paid");
        acknowledge(FULFILMENT, HandlerResult.DONE);

        restart();

        assertThat(broker.waiting(FULFILMENT)).isEmpty();
    }

    @Test
    void aGroupGoesOnWhereItWasAndAnotherFromTheBeginning() throws InterruptedException {
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            sent.add(sendToTopic());
        }
        MessageSource fast = broker.source("ORDERS", "fast");
        List<QueuedMessage> taken = fast.take(6, stored -> true, 1);
        List.of(0, 1, 3, 5).forEach(i -> fast.forget(taken.get(i))); // 2 and 4 are in hand
        broker.source("ORDERS", "slow").take(10, stored -> true, 1);

        for (int restarts = 0; restarts < 3; restarts++) {
            restart();
            assertThat(ids(broker.source("ORDERS", "slow").take(20, stored -> true, 1)))
                    .containsExactlyElementsOf(sent);
            assertThat(ids(broker.source("ORDERS", "fast").take(20, stored -> true, 1)))
                    .containsExactly(sent.get(2), sent.get(4), sent.get(6), sent.get(7), sent.get(8), sent.get(9));
        }
    }

    @Test
    void aRetryKeepsItsDelayAndItsCount() throws InterruptedException {
        for (String source : List.of(FULFILMENT, "ORDERS")) {
            if (source.equals("ORDERS")) {
                sendToTopic();
            } else {
                MarketTopology.send(broker, "order.paid");
            }
            acknowledge(source, new HandlerResult.Retry("not yet"));
        }

        restart();

        for (String source : List.of(FULFILMENT, "ORDERS")) {
            assertThat(broker.source(source, "g").take(1, stored -> true, 1)).isEmpty();
        }
        clock.advance(Duration.ofSeconds(5));
        for (String source : List.of(FULFILMENT, "ORDERS")) {
            assertThat(broker.source(source, "g").take(5, stored -> true, 1))
                    .singleElement()
                    .satisfies(copy -> assertThat(copy.attempt()).isEqualTo(2));
        }
    }

    @Test
    void aDeadLetterWaitsForItsCollectorAndIsCollectedOnce() throws InterruptedException {
        MarketTopology.send(broker, "order.paid");
        sendToTopic();
        for (String source : List.of(FULFILMENT, "ORDERS")) {
            acknowledge(source, new HandlerResult.Reject("never"));
        }

        restart();
        assertThat(broker.depth(DEAD)).isOne();
        List<QueuedMessage> collected = new ArrayList<>();
        for (String source : List.of(FULFILMENT, "ORDERS")) {
            broker.source(source, "g").giveLetter(collected::add, 1);
        }
        assertThat(collected).extracting(QueuedMessage::error).containsExactly("never", "never");

        restart();
        assertThat(broker.depth(DEAD)).isZero();
        broker.source("ORDERS", "g").giveLetter(collected::add, 1);
        assertThat(collected).hasSize(2);
    }

    @Test
    void aDelayEndsWhenItWouldHaveEndedWithoutTheRestart() {
        MarketTopology.send(broker, "order.timeout.delay");
        clock.advance(Duration.ofMinutes(10));
        restart();

        clock.advance(Duration.ofMinutes(5).minusMillis(1));
        assertThat(broker.depth(TIMEOUT)).isZero();
        clock.advance(Duration.ofMillis(1));
        assertThat(broker.depth(TIMEOUT)).isOne();

        restart();
        assertThat(broker.depth(DELAY)).isZero();
        assertThat(broker.depth(TIMEOUT)).isOne();
    }

    @Test
    void aNumberIsNeverGivenTwice() throws InterruptedException {
        String first = confirmed(MarketTopology.message("order.paid"));
        MessageSource queue = broker.source(FULFILMENT, "g");
        queue.take(1, stored -> true, 1).forEach(queue::forget);

        restart();

        assertThat(MemoryBroker.numberOf(confirmed(MarketTopology.message("order.paid"))))
                .isGreaterThan(MemoryBroker.numberOf(first));
    }

    @Test
    void theFileStaysShortHoweverMuchPassesThrough() throws Exception {
        MessageSource queue = broker.source(FULFILMENT, "g");
        MessageSource group = broker.source("ORDERS", "g");
        MarketTopology.send(broker, "order.timeout.delay"); // stays all the time
        for (int i = 0; i < 20_000; i++) {
            MarketTopology.send(broker, "order.paid");
            sendToTopic();
            queue.take(1, stored -> true, 1).forEach(queue::forget);
            group.take(1, stored -> true, 1).forEach(group::forget);
        }
        assertThat(Files.size(file)).isLessThan(2 * MessageJournal.SMALLEST_REWRITE);
        assertThat(file.resolveSibling("messages.new")).doesNotExist();

        restart();
        assertThat(broker.depth(FULFILMENT)).isZero();
        assertThat(broker.depth(DELAY)).isOne();
        assertThat(broker.source("ORDERS", "g").take(1, stored -> true, 1)).isEmpty();
    }

    @Test
    void aRecordThatWasCutShortIsLeftOutAndTheOthersAreThere() throws IOException {
        String first = MarketTopology.send(broker, "order.paid").event().eventId();
        long whole = Files.size(file);
        MarketTopology.send(broker, "order.paid");
        broker.close();
        byte[] all = Files.readAllBytes(file);
        for (int length = (int) whole; length < all.length; length++) {
            Files.write(file, Arrays.copyOf(all, length));
            broker = start();
            assertThat(broker.waiting(FULFILMENT))
                    .extracting(QueuedMessage::messageId)
                    .containsExactly(first);
            broker.close();
        }
        broker = start();
        MarketTopology.send(broker, "order.paid");
        restart();
        assertThat(broker.depth(FULFILMENT)).isEqualTo(2);
    }

    @Test
    void aFileThatIsDamagedInItsMiddleOrNoneOfOursIsRefused() throws IOException {
        MarketTopology.send(broker, "order.paid");
        MarketTopology.send(broker, "order.paid");
        broker.close();
        byte[] all = Files.readAllBytes(file);
        all[60] ^= 1;
        Files.write(file, all);
        assertThatThrownBy(this::start).isInstanceOf(TransportException.class).hasMessageContaining("is damaged");

        Files.writeString(file, "somebody's notes, which nobody wants to lose");
        assertThatThrownBy(this::start).hasMessageContaining("is not a file of the broker in memory");
        assertThat(file).hasContent("somebody's notes, which nobody wants to lose");
    }

    @Test
    void oneBrokerAtATimeHasTheFile() {
        assertThatThrownBy(this::start)
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("is in use by another process or broker")
                .hasMessageContaining("waybill.memory.file");
    }

    @Test
    void anInterruptedThreadStillWrites() {
        Thread.currentThread().interrupt();
        MarketTopology.send(broker, "order.paid");
        assertThat(Thread.interrupted()).isTrue();
        MarketTopology.send(broker, "order.paid");

        restart();

        assertThat(broker.depth(FULFILMENT)).isEqualTo(2);
    }

    @Test
    void aClosedBrokerConfirmsNothing() {
        broker.close();

        assertThat(broker.take(MarketTopology.message("order.paid"))).isNotInstanceOf(Confirmed.class);
    }

    private MemoryBroker start() {
        return MarketTopology.declare(MemoryBroker.keptIn(file, clock), Duration.ofMinutes(15));
    }

    private void restart() {
        broker.close();
        broker = start();
    }

    private String sendToTopic() {
        Message like = MarketTopology.message("x");
        confirmed(new Message(Destination.of("ORDERS", "CREATED"), like.event(), like.body()));
        return like.event().eventId();
    }

    private String confirmed(Message message) {
        return ((Confirmed) broker.take(message)).brokerId();
    }

    private void acknowledge(String source, HandlerResult result) throws InterruptedException {
        MessageSource messages = broker.source(source, "g");
        Acknowledger acknowledger = new Acknowledger(SubscriptionSpec.of(source, "g"), broker, messages);
        messages.take(1, stored -> true, 1).forEach(message -> acknowledger.acknowledge(message, result));
    }

    private static List<String> ids(List<QueuedMessage> copies) {
        return copies.stream().map(copy -> String.valueOf(copy.messageId())).toList();
    }
}
