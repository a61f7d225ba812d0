package dev.waybill.outbox;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.retry.ExponentialBackoff;
import dev.waybill.retry.RetryRules;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Lease;
import dev.waybill.store.Settlement;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendTarget;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that were made ready while the window was full: how many, and what may happen to them before they go. */
@Timeout(20)
class SenderTest {

    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final int BATCH = 2;
    private static final int WINDOW = 4;
    private static final RelayListener LISTENER = new RelayListener() {};

    private final AtomicLong clock = new AtomicLong(1);
    private final RelayHooks hooks = new RelayHooks(clock::get, Checkpoints.NONE);
    private final RelaySettings settings =
            RelaySettings.defaults().withWindow(WINDOW, 64).withLease(LEASE);
    private final Line line = new Line();
    private final Breakers breakers = new Breakers(LISTENER);
    private final SendWindow window = new SendWindow(WINDOW, 64, breakers::keptBySilentTopics);
    private final SettlementQueue settlements = new SettlementQueue(1_000, Duration.ofMillis(100));
    private final SendQueue queue = new SendQueue(0);
    private final InFlightEvents inFlight = new InFlightEvents(new Lease("mine", LEASE), queue, 1 << 20);
    private final SendResultRecorder results = new SendResultRecorder(
            RetryRules.all(ExponentialBackoff.standard()), settlements, window, breakers, hooks, error -> {});
    private final PreparedMessages prepared = new PreparedMessages(
            queue, new MessageFactory(event -> null, BodyFormat.ENVELOPE), breakers, results, hooks, LEASE);
    private final Sender sender =
            new Sender(line, prepared, window, new RepeatBudget(settings, window, settlements), results, hooks);

    SenderTest() {
        window.restart(); // as after an outage: small
    }

    @Test
    void aFullWindowLetsItsOwnSizeBeMadeReadyAndNotMore() throws InterruptedException {
        claimed("A", 20);

        fillTheWindow();
        sender.step();

        assertThat(line.sent()).containsExactly("A-0", "A-1", "A-2", "A-3");
        assertThat(prepared.size()).isEqualTo(WINDOW);
        assertThat(queue.size()).isEqualTo(20 - 2 * WINDOW);
    }

    @Test
    void whatIsReadyGoesAsSoonAsThereIsRoomInItsOrder() throws InterruptedException {
        claimed("A", 20);
        fillTheWindow();
        sender.step();

        line.confirmAll();
        fillTheWindow();

        assertThat(line.sent()).startsWith("A-0", "A-1", "A-2", "A-3", "A-4", "A-5", "A-6", "A-7");
    }

    @Test
    void whatWasReadyForTooLongGoesBackUnsent() throws InterruptedException {
        claimed("A", 2 * WINDOW);
        fillTheWindow();
        sender.step();

        clock.addAndGet(LEASE.toNanos());
        line.confirmAll();
        forgetSettlements();
        fillTheWindow();

        assertThat(line.sent()).containsExactly("A-0", "A-1", "A-2", "A-3");
        assertThat(released()).containsExactly("A-4", "A-5", "A-6", "A-7");
        assertThat(window.inFlight()).isZero();
    }

    @Test
    void whatIsReadyForATopicThatWentDownGoesBackUnsent() throws InterruptedException {
        claimed("A", WINDOW);
        claimed("B", WINDOW);
        fillTheWindow();
        sender.step();

        breakers.failed("B", "row", SendFailure.TOPIC_UNAVAILABLE, "no such exchange", clock.get());
        line.confirmAll();
        forgetSettlements();
        fillTheWindow();

        assertThat(line.sent()).containsExactly("A-0", "A-1", "A-2", "A-3");
        assertThat(released()).containsExactly("B-0", "B-1", "B-2", "B-3");
    }

    @Test
    void aTopicThatDoesNotAnswerTakesNoPlaceFromTheOthersAndGetsNothingMore() throws InterruptedException {
        claimed("SLOW", 3);
        claimed("A", 1);
        fillTheWindow();
        clock.addAndGet(Duration.ofMillis(10).toNanos());
        line.confirm("A-0");
        claimed("SLOW TOO", 1);
        sender.step();
        claimed("B", WINDOW);
        sender.step();
        assertThat(line.sent()).as("the window is full").hasSize(WINDOW + 1);

        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        fillTheWindow();
        line.confirm("B-0");
        line.confirm("B-1");
        forgetSettlements();
        claimed("SLOW", List.of("late"));
        sender.step();

        assertThat(line.sent()).endsWith("B-0", "B-1", "B-2", "B-3");
        assertThat(released()).containsExactly("late");

        line.confirm("SLOW-0");
        line.confirm("SLOW-1");
        assertThat(breakers.admits("SLOW", "row"))
                .as("answers that trickle in late")
                .isFalse();
        assertThat(breakers.keptBySilentTopics()).isEqualTo(1);
        line.confirm("SLOW-2");
        assertThat(breakers.admits("SLOW", "row")).as("nothing is left").isTrue();
        assertThat(breakers.keptBySilentTopics()).isZero();
    }

    @Test
    void aStopThatDoesNotWaitForAStuckSenderGivesEverythingBackThatWasNotSent() throws InterruptedException {
        claimed("A", 20);
        fillTheWindow();
        sender.step();
        line.confirmAll();
        forgetSettlements();
        line.hang();
        Thread stuck = new Thread(this::stepQuietly);
        stuck.start();
        line.awaitCaller();

        prepared.releaseAll();
        line.letGo();
        stuck.join();

        assertThat(line.sent()).hasSize(WINDOW + BATCH);
        assertThat(Stream.concat(line.sent().stream(), released().stream()))
                .containsExactlyInAnyOrderElementsOf(names("A", 20));
        assertThat(prepared.waiting()).isZero();
    }

    private void fillTheWindow() throws InterruptedException {
        for (int sends = 0; sends < WINDOW / BATCH; sends++) {
            sender.step();
        }
    }

    private void stepQuietly() {
        try {
            sender.step();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void claimed(String topic, int many) {
        claimed(topic, names(topic, many));
    }

    private void claimed(String topic, List<String> names) {
        List<ClaimedEvent> claimed = names.stream()
                .map(name -> new ClaimedEvent(
                        name,
                        Event.builder("OrderCreated")
                                .eventId(name)
                                .destination(Destination.of(topic, ""))
                                .build(),
                        0,
                        "mine"))
                .toList();
        claimed.forEach(event -> inFlight.addClaimed(event, clock.get()));
    }

    private static List<String> names(String topic, int many) {
        return IntStream.range(0, many).mapToObj(i -> topic + "-" + i).toList();
    }

    private void forgetSettlements() {
        settlements.takeInto(new ArrayList<>(), Integer.MAX_VALUE);
    }

    private List<String> released() {
        List<Settlement> all = new ArrayList<>();
        settlements.takeInto(all, Integer.MAX_VALUE);
        return all.stream()
                .filter(Settlement.Released.class::isInstance)
                .map(settlement -> settlement.row().rowKey())
                .toList();
    }

    /** A broker that answers when it is told to. */
    private static final class Line implements Transport {

        private final List<String> sent = new CopyOnWriteArrayList<>();
        private final Map<String, Runnable> answers = new LinkedHashMap<>();
        private final CountDownLatch called = new CountDownLatch(1);
        private volatile CountDownLatch open = new CountDownLatch(0);

        List<String> sent() {
            return sent;
        }

        void confirmAll() {
            answers.values().forEach(Runnable::run);
            answers.clear();
        }

        void confirm(String eventId) {
            requireNonNull(answers.remove(eventId)).run();
        }

        void hang() {
            open = new CountDownLatch(1);
        }

        void awaitCaller() throws InterruptedException {
            assertThat(called.await(10, TimeUnit.SECONDS)).isTrue();
        }

        void letGo() {
            open.countDown();
        }

        @Override
        public void send(List<Message> batch, SendResults results) {
            batch.forEach(message -> sent.add(message.event().eventId()));
            for (int i = 0; i < batch.size(); i++) {
                int index = i;
                answers.put(
                        batch.get(i).event().eventId(), () -> results.report(index, new SendResult.Confirmed(null)));
            }
            if (open.getCount() > 0) {
                called.countDown();
                try {
                    assertThat(open.await(10, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }

        @Override
        public String name() {
            return "line";
        }

        @Override
        public void start() {}

        @Override
        public int batchLimit() {
            return BATCH;
        }

        @Override
        public boolean probe(SendTarget target) {
            return true;
        }

        @Override
        public void close() {}
    }
}
