package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.memory.MemoryDeadLetterStore;
import dev.waybill.memory.MemoryInboxStore;
import dev.waybill.memory.MemoryTransactions;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import dev.waybill.testkit.ManualClock;
import dev.waybill.transport.DeadLetterQueue;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Dead letters: saved with their reasons, replayed to whom they failed at, or discarded. */
@Timeout(20)
class DeadLettersTest {

    private static final String GROUP = "stock";
    private static final SubscriptionSpec ORDERS = SubscriptionSpec.of("ORDERS", GROUP);
    private static final ReplayRequest BY_ANN =
            ReplayRequest.by("ann", "fixed the handler").atMost(100_000);

    private final ManualClock clock = ManualClock.at("2026-06-01T00:00:00Z");
    private final MemoryTransactions transactions = new MemoryTransactions(clock);
    private final MemoryDeadLetterStore store = new MemoryDeadLetterStore(transactions);
    private final WatchedInboxStore consumeLog = new WatchedInboxStore(new MemoryInboxStore(transactions));
    private final ScriptedQueue queue = new ScriptedQueue();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final DeadLetters letters = builder().build();

    @Test
    void aLetterIsSavedWithItsEventAndTheReasonThatTheConsumeLogKnows() {
        Event event = event("1");
        consumeLog.fail(event, GROUP, "order 17 is missing");

        queue.collected(letter("k1", event));

        StoredLetter saved = letters.list(Filter.any(), 10, 0).get(0);
        assertThat(saved.eventId()).isEqualTo("1");
        assertThat(saved.eventType()).isEqualTo("OrderCreated");
        assertThat(saved.letter().error()).isEqualTo("order 17 is missing");
        assertThat(saved.state()).isEqualTo(State.OPEN);
        assertThat(heard).containsExactly("saved 1");
    }

    @Test
    void aReasonFromTheBrokerCountsMoreThanTheConsumeLogs() {
        Event event = event("1");
        consumeLog.fail(event, GROUP, "order 17 is missing");

        queue.collected(letter("k1", event).withError("expired"));

        assertThat(letters.list(Filter.any(), 10, 0).get(0).letter().error()).isEqualTo("expired");
    }

    @Test
    void aLetterThatIsNoEventIsSavedUnderItsMessageId() {
        queue.collected(new DeadLetter(
                "k1", "ORDERS", GROUP, "message-7", Map.of(), "{broken".getBytes(StandardCharsets.UTF_8), null));

        StoredLetter saved = letters.list(Filter.any(), 10, 0).get(0);
        assertThat(saved.eventId()).isEqualTo("message-7");
        assertThat(saved.eventType()).isNull();
    }

    @Test
    void aStoreThatIsAwayLeavesTheLetterAtTheBroker() {
        consumeLog.beforeLastError(() -> {
            throw WatchedInboxStore.failure(Reason.UNAVAILABLE);
        });

        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> queue.collected(letter("k1", event("1"))));

        assertThat(letters.count(Filter.any())).isZero();
        assertThat(heard).isEmpty();
    }

    @Test
    void anIdThatTheConsumeLogCannotHoldDoesNotKeepTheLetterOut() {
        consumeLog.beforeLastError(() -> {
            throw WatchedInboxStore.failure(Reason.VALUE);
        });

        queue.collected(letter("k1", event("1")));

        assertThat(letters.list(Filter.any(), 10, 0).get(0).letter().error()).isNull();
    }

    @Test
    void aReplaySendsTheLetterBackAndMarksIt() throws InterruptedException {
        long id = saved("k1", event("1"));

        ReplayReport report = letters.replay(List.of(id, 999L), BY_ANN);

        assertThat(report.replayed()).containsExactly(id);
        assertThat(report.refused()).containsExactly(Map.entry(999L, "there is no such letter"));
        assertThat(queue.replayed).containsExactly("k1");
        assertThat(queue.statesWhileReplayed).containsExactly(State.REPLAYING);
        assertThat(state(id)).isEqualTo(State.REPLAYED);
        assertThat(heard).containsExactly("saved 1", "replayed 1");
        ReplayReport again = letters.replay(List.of(id), BY_ANN);
        assertThat(again.replayed()).isEmpty();
        assertThat(again.refused()).containsExactly(Map.entry(id, "it is not open"));
    }

    @Test
    void whatTheBrokerRefusesIsOpenAgainWithTheReasonAndTheOthersGoOn() throws InterruptedException {
        long first = saved("k1", event("1"));
        long second = saved("k2", event("2"));
        queue.answer = letter -> letter.key().equals("k1")
                ? new SendResult.NotConfirmed(SendFailure.NACKED, "no room")
                : new SendResult.Confirmed(null);

        ReplayReport report = letters.replay(List.of(first, second), BY_ANN);

        assertThat(report.refused()).containsExactly(Map.entry(first, "NACKED: no room"));
        assertThat(report.replayed()).containsExactly(second);
        assertThat(report.brokerGone()).isFalse();
        assertThat(state(first)).isEqualTo(State.OPEN);
        assertThat(store.find(first).orElseThrow().letter().error()).isEqualTo("NACKED: no room");
        assertThat(heard).contains("replay failed 1");
    }

    @Test
    void aBrokerThatIsGoneEndsTheReplayAndTheRestStaysOpen() throws InterruptedException {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            ids.add(saved("k" + i, event("e" + i)));
        }
        queue.answer = letter -> letter.key().equals("k1")
                ? new SendResult.NotConfirmed(SendFailure.CONNECTION_LOST, "gone")
                : new SendResult.Confirmed(null);

        ReplayReport report = letters.replay(ids, BY_ANN);

        assertThat(report.brokerGone()).isTrue();
        assertThat(report.replayed()).containsExactly(ids.get(0));
        assertThat(queue.replayed).containsExactly("k0", "k1");
        assertThat(report.refused()).containsKeys(ids.get(1), ids.get(2));
        assertThat(letters.count(Filter.any().withState(State.OPEN))).isEqualTo(119);
        assertThat(store.find(ids.get(1)).orElseThrow().letter().error())
                .as("its own, and not the broker's")
                .isEqualTo(store.find(ids.get(2)).orElseThrow().letter().error());
    }

    @Test
    void aLetterOfASubscriptionThatThisServiceDoesNotHaveIsRefused() throws InterruptedException {
        Event event = event("1");
        store.save(
                new DeadLetter("k1", "PAYMENTS", GROUP, "1", Map.of(), body(event), null),
                event.eventId(),
                event.type());
        long id = store.list(Filter.any(), 1, 0).get(0).id();

        ReplayReport report = letters.replay(List.of(id), BY_ANN);

        assertThat(report.refused().get(id)).contains("PAYMENTS").contains(GROUP);
        assertThat(state(id)).isEqualTo(State.OPEN);
        assertThat(queue.replayed).isEmpty();
    }

    @Test
    void whatTheInboxMayHaveForgottenIsReplayedOnlyOnRequest() throws InterruptedException {
        long old = saved("k1", event("1"));
        clock.advance(Duration.ofDays(15));
        long young = saved("k2", event("2"));
        List<Long> all = List.of(old, young);
        assertThat(letters.preview(Filter.any()).letters()).isEqualTo(2);
        assertThat(letters.preview(Filter.any()).forgotten()).isEqualTo(1);

        ReplayReport report = letters.replay(all, BY_ANN);

        assertThat(report.replayed()).containsExactly(young);
        assertThat(report.refused()).containsOnlyKeys(old);
        assertThat(state(old)).isEqualTo(State.OPEN);
        assertThat(letters.replay(all, BY_ANN.withForgotten()).replayed()).containsExactly(old);
    }

    /** Its delivery failed just now, so nothing of it took effect before; what its sender calls its time says nothing about that. */
    @Test
    void aYoungLetterIsReplayedHoweverOldItsEventSaysItIs() throws InterruptedException {
        long young = saved(
                "k1",
                event("1").toBuilder()
                        .occurredAt(clock.instant().minus(Duration.ofDays(20)))
                        .build());

        assertThat(letters.replay(List.of(young), BY_ANN).replayed()).containsExactly(young);
    }

    @Test
    void aBoundedReplayGoesOnWhereTheLastOneEnded() throws InterruptedException {
        for (int i = 0; i < 120; i++) {
            saved("k" + i, event("e" + i));
        }

        ReplayReport first = letters.replay(Filter.any(), 0, 70, BY_ANN);
        assertThat(first.replayed()).hasSize(70);
        saved("k120", event("e120"));
        ReplayReport second = letters.replay(Filter.any(), first.lastId(), 70, BY_ANN);

        assertThat(second.replayed()).hasSize(51).allMatch(id -> id > first.lastId());
        assertThat(letters.replay(Filter.any(), second.lastId(), 70, BY_ANN).lastId())
                .as("nothing is left")
                .isEqualTo(second.lastId());
    }

    @Test
    void aQueryIsReplayedPageByPageAndOnlyWhatIsOpen() throws InterruptedException {
        for (int i = 0; i < 120; i++) {
            saved("k" + i, event("e" + i));
        }
        List<StoredLetter> first = store.list(Filter.any(), 2, 0);
        letters.discard(List.of(first.get(0).id()), BY_ANN.decision());

        ReplayReport report = letters.replay(Filter.any(), BY_ANN);

        assertThat(report.replayed()).hasSize(119).doesNotHaveDuplicates();
        assertThat(queue.replayed).hasSize(119).doesNotContain("k0");
        assertThat(letters.count(Filter.any().withState(State.REPLAYED))).isEqualTo(119);
        assertThat(letters.count(Filter.any().withState(State.DISCARDED))).isEqualTo(1);
    }

    @Test
    void aReplayIsNotFasterThanAsked() throws InterruptedException {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(saved("k" + i, event("e" + i)));
        }
        long begin = System.nanoTime();

        letters.replay(ids, BY_ANN.atMost(20));

        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .as("four gaps of a twentieth of a second")
                .isGreaterThanOrEqualTo(Duration.ofMillis(200));
        assertThat(queue.replayed).hasSize(5);
    }

    @Test
    void anEditedBodyIsWhatIsReplayed() throws InterruptedException {
        long id = saved("k1", event("1"));
        byte[] better = body(event("1").toBuilder().payload("{\"better\":true}").build());

        assertThat(letters.edit(id, better, new OperatorDecision("bob", "typo")))
                .isTrue();
        letters.replay(List.of(id), BY_ANN);

        assertThat(queue.bodies).hasSize(1);
        assertThat(queue.bodies.get(0)).isEqualTo(better);
        assertThat(letters.edit(id, better, BY_ANN.decision()))
                .as("not OPEN any more")
                .isFalse();
    }

    @Test
    void aDiscardedLetterIsNeitherReplayedNorDiscardedAgain() throws InterruptedException {
        long id = saved("k1", event("1"));

        assertThat(letters.discard(List.of(id, 999L), BY_ANN.decision())).isEqualTo(1);

        assertThat(letters.discard(List.of(id), BY_ANN.decision())).isZero();
        assertThat(letters.replay(List.of(id), BY_ANN).replayed()).isEmpty();
        assertThat(queue.replayed).isEmpty();
        assertThat(transactions.audit())
                .singleElement()
                .satisfies(record -> assertThat(record.action()).isEqualTo("DISCARD"));
    }

    @Test
    void whatADeadProcessLeftHalfReplayedIsSentByTheNext() {
        long abandoned = saved("k1", event("1"));
        store.beginReplay(List.of(abandoned), BY_ANN.decision());
        clock.advance(Duration.ofSeconds(61));
        long underWay = saved("k2", event("2"));
        store.beginReplay(List.of(underWay), BY_ANN.decision());

        letters.start();
        try {
            await().until(() -> state(abandoned) == State.REPLAYED);
        } finally {
            assertThat(letters.stop(Duration.ofSeconds(10))).isTrue();
        }

        assertThat(queue.replayed).containsExactly("k1");
        assertThat(state(underWay)).as("somebody may be at it").isEqualTo(State.REPLAYING);
    }

    @Test
    void collectingStartsAndStopsWithTheService() {
        letters.start();
        letters.start();
        assertThat(letters.isRunning()).isTrue();
        assertThat(letters.stop(Duration.ofSeconds(10))).isTrue();

        assertThat(letters.isRunning()).isFalse();
        assertThat(queue.collecting).containsExactly("start", "stop");
    }

    @Test
    void aListenerThatFailsKeepsNoLetterOut() {
        DeadLetters deaf = builder()
                .listener(new DeadLetterListener() {
                    @Override
                    public void saved(DeadLetter letter, @Nullable String eventId, @Nullable String eventType) {
                        throw new IllegalStateException("deaf");
                    }
                })
                .build();

        queue.collected(letter("k1", event("1")));

        assertThat(deaf.count(Filter.any())).isEqualTo(1);
    }

    private DeadLetters.Builder builder() {
        return DeadLetters.builder(store)
                .of(ORDERS, new ScriptedSubscriptions())
                .errors(consumeLog)
                .clock(clock)
                .listener(new Listening());
    }

    private Event event(String id) {
        return Event.builder("OrderCreated")
                .eventId(id)
                .occurredAt(clock.instant())
                .build();
    }

    private static byte[] body(Event event) {
        return Envelope.encode(event, BodyFormat.ENVELOPE);
    }

    private static DeadLetter letter(String key, Event event) {
        return new DeadLetter(key, "ORDERS", GROUP, event.eventId(), Map.of(), body(event), null);
    }

    private long saved(String key, Event event) {
        queue.collected(letter(key, event));
        return store.list(Filter.any(), 1_000, 0).stream()
                .filter(stored -> stored.letter().key().equals(key))
                .findFirst()
                .orElseThrow()
                .id();
    }

    private State state(long id) {
        return store.find(id).orElseThrow().state();
    }

    private final class Listening implements DeadLetterListener {

        @Override
        public void saved(DeadLetter letter, @Nullable String eventId, @Nullable String eventType) {
            heard.add("saved " + eventId);
        }

        @Override
        public void replayed(StoredLetter letter) {
            heard.add("replayed " + letter.eventId());
        }

        @Override
        public void replayFailed(StoredLetter letter, String error) {
            heard.add("replay failed " + letter.eventId());
        }
    }

    /** A broker's dead letters: given to the sink when the test says so, and taken back. */
    private final class ScriptedQueue implements DeadLetterQueue {

        private final List<String> replayed = new CopyOnWriteArrayList<>();
        private final List<byte[]> bodies = new CopyOnWriteArrayList<>();
        private final List<State> statesWhileReplayed = new CopyOnWriteArrayList<>();
        private final List<String> collecting = new CopyOnWriteArrayList<>();
        private volatile Function<DeadLetter, SendResult> answer = letter -> new SendResult.Confirmed(null);
        private @Nullable Sink sink;

        void collected(DeadLetter letter) {
            assertThat(sink).isNotNull();
            sink.save(letter);
        }

        @Override
        public Lifecycle collect(Sink newSink) {
            sink = newSink;
            return new Lifecycle() {
                private boolean running;

                @Override
                public void start() {
                    running = true;
                    collecting.add("start");
                }

                @Override
                public boolean stop(Duration deadline) {
                    running = false;
                    collecting.add("stop");
                    return true;
                }

                @Override
                public boolean isRunning() {
                    return running;
                }
            };
        }

        @Override
        public SendResult replay(DeadLetter letter) {
            replayed.add(letter.key());
            bodies.add(letter.body());
            store.list(Filter.any(), 1_000, 0).stream()
                    .filter(stored -> stored.letter().key().equals(letter.key()))
                    .forEach(stored -> statesWhileReplayed.add(stored.state()));
            return answer.apply(letter);
        }

        @Override
        public void close() {}
    }

    private final class ScriptedSubscriptions implements Subscriptions {

        @Override
        public String name() {
            return "scripted";
        }

        @Override
        public Lifecycle subscribe(SubscriptionSpec spec, Receiver receiver) {
            throw new UnsupportedOperationException("only dead letters here");
        }

        @Override
        public DeadLetterQueue deadLetters(SubscriptionSpec spec) {
            assertThat(spec).isEqualTo(ORDERS);
            return queue;
        }

        @Override
        public void close() {}
    }
}
