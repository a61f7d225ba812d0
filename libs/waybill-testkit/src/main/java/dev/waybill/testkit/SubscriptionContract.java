package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.testkit.SubscriptionFixture.Line;
import dev.waybill.transport.DeadLetterQueue;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.Outcome;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;
import dev.waybill.transport.TransportException;
import dev.waybill.transport.Verdict;
import dev.waybill.transport.Verdict.Again;
import dev.waybill.transport.Verdict.Bury;
import dev.waybill.transport.Verdict.Done;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * What every broker's subscriptions promise, as tests. An adapter's test is a subclass that makes a {@link
 * SubscriptionFixture}; it runs against the real broker. Nothing is skipped.
 */
public abstract class SubscriptionContract {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** A broker that was killed takes seconds to come back, and clients look for it at intervals. */
    private static final Duration RECOVERY = Duration.ofSeconds(60);

    /** What clocks and thread switches may take off a delay. */
    private static final Duration GRAIN = Duration.ofMillis(20);

    private SubscriptionFixture fixture;
    private Subscriptions subscriptions;
    private Transport transport;
    private final List<Lifecycle> running = new ArrayList<>();

    /** Makes a fixture for one test. */
    protected abstract SubscriptionFixture fixture();

    @BeforeEach
    final void open() {
        fixture = fixture();
        subscriptions = fixture.subscriptions();
        transport = fixture.transport();
        transport.start();
    }

    @AfterEach
    final void close() {
        running.forEach(each -> each.stop(Duration.ofSeconds(1)));
        subscriptions.close();
        transport.close();
        fixture.close();
    }

    @Test
    void everythingSentIsReceivedOnceAndToTheLetter() {
        Line line = fixture.freshLine();
        Recorder recorder = received(line.spec(), Recorder.DONE);

        List<Message> sent = send(line, 200);
        recorder.awaitAnswered(200, PATIENCE);
        sendAndAwait(line, recorder);

        assertThat(recorder.all()).hasSize(201);
        for (Message message : sent) {
            assertThat(recorder.of(message.event().eventId()))
                    .singleElement()
                    .satisfies(received -> assertToTheLetter(received.delivery(), line.spec(), message, 1));
        }
    }

    @Test
    void aFailedDeliveryComesBackAfterGrowingDelaysAndToTheLetter() {
        Line line = fixture.freshLine();
        List<Duration> delays = fixture.growingDelays();
        SubscriptionSpec spec = line.spec().withRetryDelays(delays);
        Recorder recorder = received(
                spec, delivery -> delivery.attempt() < 3 ? new Again("not yet " + delivery.attempt()) : new Done());

        Message sent = send(line, 1).get(0);
        String id = sent.event().eventId();
        recorder.awaitDeliveries(id, 3, PATIENCE);
        await().atMost(PATIENCE).until(() -> recorder.answered() == 1);

        List<Recorder.Received> received = recorder.of(id);
        assertThat(recorder.attemptsOf(id)).containsExactly(1, 2, 3);
        for (int i = 0; i < 3; i++) {
            assertToTheLetter(received.get(i).delivery(), spec, sent, i + 1);
        }
        for (int i = 0; i < 2; i++) {
            long gap = received.get(i + 1).at() - received.get(i).at();
            assertThat(Duration.ofNanos(gap)).isGreaterThan(delays.get(i).minus(GRAIN));
        }
    }

    @Test
    void aDeliveryThatAlwaysFailsIsADeadLetterAfterTheLastDelay() {
        Line line = fixture.freshLine();
        Duration delay = fixture.growingDelays().get(0);
        SubscriptionSpec spec = line.spec().withRetryDelays(List.of(delay, delay));
        KeptLetters letters = collected(spec);
        Recorder recorder = received(spec, delivery -> new Again("broken " + delivery.attempt()));

        Message sent = send(line, 1).get(0);

        DeadLetter letter = letters.await(1, PATIENCE).get(0);
        assertThat(recorder.attemptsOf(sent.event().eventId())).containsExactly(1, 2, 3);
        assertToTheLetter(letter, spec, sent, "broken 3");
    }

    @Test
    void aBuriedDeliveryIsADeadLetterAtOnceAndTheOthersFlowOn() {
        Line line = fixture.freshLine();
        KeptLetters letters = collected(line.spec());
        String poison = "bizKey";
        Recorder recorder = received(
                line.spec(),
                delivery -> "ORD7".equals(delivery.headers().get(poison)) ? new Bury("poison: 毒") : new Done());

        List<Message> sent = send(line, 20);
        recorder.awaitAnswered(20, PATIENCE);

        assertToTheLetter(letters.await(1, PATIENCE).get(0), line.spec(), sent.get(7), "poison: 毒");
        sendAndAwait(line, recorder);
        assertThat(recorder.all()).hasSize(21);
        assertThat(letters.kept()).hasSize(1);
    }

    @Test
    void aReceiverThatThrowsHasSpentNothing() {
        Line line = fixture.freshLine();
        AtomicInteger calls = new AtomicInteger();
        Recorder recorder = received(line.spec().withConcurrency(1, 20), delivery -> {
            switch (calls.incrementAndGet()) {
                case 1 -> throw new IllegalStateException("thrown on purpose");
                case 2 -> throw new AssertionError("an error on purpose");
                default -> {
                    return new Done();
                }
            }
        });

        List<Message> sent = send(line, 5);
        recorder.awaitAnswered(5, PATIENCE);

        assertThat(recorder.all()).allMatch(each -> each.delivery().attempt() == 1);
        assertThat(recorder.all()).hasSize(7);
        assertThat(recorder.all())
                .extracting(each -> each.delivery().messageId())
                .hasSameElementsAs(
                        sent.stream().map(each -> each.event().eventId()).toList());
    }

    @Test
    void aWrongNumberOfVerdictsAnswersNothing() {
        Line line = fixture.freshLine();
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        run(subscriptions.subscribe(line.spec().withConcurrency(1, 20), batch -> {
            if (calls.incrementAndGet() == 1) {
                return List.of();
            }
            done.countDown();
            return List.of(new Done());
        }));

        send(line, 1);

        awaitZero(done);
        assertThat(calls).hasValue(2);
    }

    @Test
    void aReceiverThatWaitsHoldsItsOwnDeliveryAndNobodyElses() {
        Line line = fixture.freshLine();
        SubscriptionSpec spec = line.spec().withConcurrency(3, 10);
        CountDownLatch release = new CountDownLatch(1);
        Recorder recorder = received(spec, delivery -> {
            if ("ORD0".equals(delivery.headers().get("bizKey"))) {
                release.await();
            }
            return new Done();
        });

        List<Message> sent = send(line, 300);
        recorder.awaitAnswered(299, PATIENCE);
        release.countDown();
        recorder.awaitAnswered(300, PATIENCE);
        sendAndAwait(line, recorder);

        assertThat(recorder.attemptsOf(sent.get(0).event().eventId())).containsExactly(1);
        assertThat(recorder.all()).hasSize(301);
        assertThat(recorder.mostAtWork()).isLessThanOrEqualTo(3);
    }

    @Test
    void stopWaitsForTheReceiverAndItsAnswerCounts() throws Exception {
        Line line = fixture.freshLine();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Recorder recorder = new Recorder(delivery -> {
            begun.countDown();
            release.await();
            return new Done();
        });
        Lifecycle subscription = run(subscriptions.subscribe(line.spec(), recorder));
        send(line, 1);
        awaitZero(begun);

        CompletableFuture<Boolean> stopped = CompletableFuture.supplyAsync(() -> subscription.stop(PATIENCE));
        await().during(Duration.ofMillis(300)).atMost(PATIENCE).until(() -> !stopped.isDone());
        release.countDown();

        assertThat(stopped.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(subscription.isRunning()).isFalse();
        subscription.start();
        sendAndAwait(line, recorder);
        assertThat(recorder.all()).hasSize(2);
    }

    @Test
    void whatWasNotAnsweredComesBackUnspentAfterARestart() {
        Line line = fixture.freshLine();
        SubscriptionSpec spec = line.spec().withConcurrency(2, 20);
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch never = new CountDownLatch(1);
        Lifecycle first = run(subscriptions.subscribe(spec, batch -> {
            begun.countDown();
            never.await();
            return List.of(new Done());
        }));
        send(line, 50);
        awaitZero(begun);

        assertThat(first.stop(Duration.ofMillis(200))).isFalse();
        Recorder recorder = received(spec, Recorder.DONE);

        recorder.awaitAnswered(50, PATIENCE);
        assertThat(recorder.all()).allMatch(each -> each.delivery().attempt() == 1);
    }

    @Test
    void twoGroupsEachGetEverythingAndAReplayReachesOnlyTheOneThatFailed() {
        Line line = fixture.freshLine();
        SubscriptionSpec other = fixture.beside(line);
        KeptLetters letters = collected(line.spec());
        KeptLetters lettersOfTheOther = collected(other);
        AtomicInteger calls = new AtomicInteger();
        Recorder failing =
                received(line.spec(), delivery -> calls.incrementAndGet() == 1 ? new Bury("once") : new Done());
        Recorder healthy = received(other, Recorder.DONE);

        Message sent = send(line, 1).get(0);
        DeadLetter letter = letters.await(1, PATIENCE).get(0);
        healthy.awaitAnswered(1, PATIENCE);
        assertThat(subscriptions.deadLetters(line.spec()).replay(letter)).isInstanceOf(Outcome.Confirmed.class);
        failing.awaitDeliveries(sent.event().eventId(), 2, PATIENCE);
        sendAndAwait(line, failing);
        healthy.awaitAnswered(2, PATIENCE);

        assertToTheLetter(failing.of(sent.event().eventId()).get(1).delivery(), line.spec(), sent, 1);
        assertThat(failing.all()).hasSize(3);
        assertThat(healthy.all()).hasSize(2);
        assertThat(lettersOfTheOther.offered()).isEmpty();
    }

    @Test
    void aLetterStaysUntilItsKeeperHasItAndIsGoneThen() {
        Line line = fixture.freshLine();
        DeadLetterQueue queue = subscriptions.deadLetters(line.spec());
        KeptLetters letters = new KeptLetters(2);
        Lifecycle collecting = run(queue.collect(letters));
        received(line.spec(), delivery -> new Bury("always"));

        send(line, 1);
        DeadLetter kept = letters.await(1, PATIENCE).get(0);

        assertThat(letters.offered()).hasSize(3).allMatch(each -> each.key().equals(kept.key()));
        assertThat(collecting.stop(PATIENCE)).isTrue();
        KeptLetters later = new KeptLetters();
        run(queue.collect(later));
        String second = send(line, 1).get(0).event().eventId();
        assertThat(later.await(1, PATIENCE)).extracting(DeadLetter::messageId).containsExactly(second);
    }

    @Test
    void anEditedLetterIsReplayedAsAFirstDeliveryAndDiesUnderAnotherKey() {
        Line line = fixture.freshLine();
        KeptLetters letters = collected(line.spec());
        Recorder recorder = received(line.spec(), delivery -> new Bury("never"));

        Message sent = send(line, 1).get(0);
        DeadLetter first = letters.await(1, PATIENCE).get(0);
        byte[] body = "{\"edited\":true}".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        DeadLetter edited = new DeadLetter(
                first.key(), first.source(), first.group(), first.messageId(), first.headers(), body, first.error());
        assertThat(subscriptions.deadLetters(line.spec()).replay(edited)).isInstanceOf(Outcome.Confirmed.class);
        DeadLetter second = letters.await(2, PATIENCE).get(1);

        assertThat(recorder.attemptsOf(sent.event().eventId())).containsExactly(1, 1);
        assertThat(recorder.all().get(1).delivery().body()).isEqualTo(body);
        assertThat(second.key()).isNotEqualTo(first.key());
        assertThat(second.messageId()).isEqualTo(first.messageId());
        assertThat(second.body()).isEqualTo(body);
    }

    @Test
    void batchesMayHaveMixedVerdicts() {
        Line line = fixture.freshLine();
        SubscriptionSpec spec = line.spec().withConcurrency(2, 20).withBatch(10);
        KeptLetters letters = collected(spec);
        Recorder recorder = new Recorder(delivery -> {
            String key = String.valueOf(delivery.headers().get("bizKey"));
            int number = Integer.parseInt(key.substring(3));
            return number % 3 == 0 ? new Done() : number % 3 == 1 ? firstAgain(delivery) : new Bury("third " + number);
        });
        Lifecycle subscription = subscriptions.subscribe(spec, recorder);
        List<Message> sent = send(line, 60); // before the start, so that there is something to put into batches
        run(subscription);

        letters.await(20, PATIENCE);
        for (int i = 0; i < sent.size(); i++) {
            recorder.awaitDeliveries(sent.get(i).event().eventId(), i % 3 == 1 ? 2 : 1, PATIENCE);
        }

        assertThat(recorder.largestBatch()).isBetween(2, 10);
        assertThat(recorder.all()).hasSize(80);
        assertThat(letters.kept())
                .extracting(DeadLetter::messageId)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 60)
                        .filter(i -> i % 3 == 2)
                        .mapToObj(i -> sent.get(i).event().eventId())
                        .toList());
    }

    private static Verdict firstAgain(Delivery delivery) {
        return delivery.attempt() == 1 ? new Again("once more") : new Done();
    }

    @Test
    void fiveThousandMessagesGoThroughFourReceivers() {
        Line line = fixture.freshLine();
        SubscriptionSpec spec = line.spec().withConcurrency(4, 20);
        send(line, 5_000);
        Recorder recorder = new Recorder(Recorder.DONE);
        Lifecycle subscription = subscriptions.subscribe(spec, recorder);

        long began = System.nanoTime();
        run(subscription);
        recorder.awaitAnswered(5_000, PATIENCE);
        Duration took = Duration.ofNanos(System.nanoTime() - began);

        assertThat(recorder.all()).hasSize(5_000);
        assertThat(recorder.mostAtWork()).isLessThanOrEqualTo(4);
        LoggerFactory.getLogger(SubscriptionContract.class)
                .info("[SubscriptionContract] {} took 5,000 messages in {} ms", subscriptions.name(), took.toMillis());
    }

    @Test
    void startAndStopMayComeTwiceAndInAnyOrder() {
        Line line = fixture.freshLine();
        Recorder recorder = new Recorder(Recorder.DONE);
        Lifecycle subscription = subscriptions.subscribe(line.spec(), recorder);

        assertThat(subscription.stop(PATIENCE)).isTrue();
        assertThat(subscription.isRunning()).isFalse();
        run(subscription);
        subscription.start();
        assertThat(subscription.isRunning()).isTrue();
        sendAndAwait(line, recorder);
        assertThat(subscription.stop(PATIENCE)).isTrue();
        assertThat(subscription.stop(PATIENCE)).isTrue();
        subscription.start();
        sendAndAwait(line, recorder);
        assertThat(recorder.all()).hasSize(2);
    }

    @Test
    void closeStopsEverythingAndNothingStartsAfterwards() {
        Line line = fixture.freshLine();
        Lifecycle subscription = run(subscriptions.subscribe(line.spec(), new Recorder(Recorder.DONE)));
        Lifecycle collecting = run(subscriptions.deadLetters(line.spec()).collect(new KeptLetters()));

        subscriptions.close();
        subscriptions.close();

        assertThat(subscription.isRunning()).isFalse();
        assertThat(collecting.isRunning()).isFalse();
        Receiver receiver = new Recorder(Recorder.DONE);
        assertThatThrownBy(() -> subscriptions.subscribe(line.spec(), receiver))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.reason()).isEqualTo(TransportException.Reason.NOT_RUNNING));
    }

    /** One outage serves several questions, because each restart of a real broker takes seconds. */
    @Test
    @Tag("outage")
    void aKilledBrokerIsFoundAgainAndLosesNothing() {
        Line line = fixture.freshLine();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        KeptLetters letters = collected(line.spec());
        Recorder recorder = received(line.spec(), delivery -> {
            int number = Integer.parseInt(
                    String.valueOf(delivery.headers().get("bizKey")).substring(3));
            if (number == 1 && release.getCount() > 0) {
                begun.countDown();
                release.await(); // in work while the broker dies
            }
            return number == 2 ? new Bury("during the outage") : number == 3 ? firstAgain(delivery) : new Done();
        });
        List<Message> sent = send(line, 100);
        awaitZero(begun);

        fixture.kill();
        release.countDown();
        fixture.revive();

        recorder.awaitAnswered(100, RECOVERY);
        recorder.awaitDeliveries(sent.get(3).event().eventId(), 2, RECOVERY);
        letters.await(1, RECOVERY);
        await().atMost(RECOVERY).ignoreExceptions().until(() -> confirmed(line, 1));
        recorder.awaitAnswered(101, RECOVERY);
        assertThat(recorder.attemptsOf(sent.get(1).event().eventId())).allMatch(attempt -> attempt == 1);
        assertThat(letters.kept().stream().map(DeadLetter::key).distinct()).hasSize(1);
    }

    private Recorder received(SubscriptionSpec spec, Recorder.Rule rule) {
        Recorder recorder = new Recorder(rule);
        run(subscriptions.subscribe(spec, recorder));
        return recorder;
    }

    private KeptLetters collected(SubscriptionSpec spec) {
        KeptLetters letters = new KeptLetters();
        run(subscriptions.deadLetters(spec).collect(letters));
        return letters;
    }

    private Lifecycle run(Lifecycle lifecycle) {
        running.add(lifecycle);
        lifecycle.start();
        return lifecycle;
    }

    /** Sends one more message and waits for its answer: whatever the broker had to deliver before, it has delivered. */
    private void sendAndAwait(Line line, Recorder recorder) {
        String id = send(line, 1).get(0).event().eventId();
        recorder.awaitDeliveries(id, 1, PATIENCE);
    }

    private List<Message> send(Line line, int count) {
        List<Message> messages = SampleMessages.messages(line.destination(), count);
        Answers answers = new Answers(count);
        transport.send(messages, answers);
        answers.awaitConfirmed(PATIENCE);
        return messages;
    }

    private boolean confirmed(Line line, int count) {
        Answers answers = new Answers(count);
        transport.send(SampleMessages.messages(line.destination(), count), answers);
        return answers.await(PATIENCE).stream().allMatch(Outcome.Confirmed.class::isInstance);
    }

    private static void awaitZero(CountDownLatch latch) {
        await().pollInterval(Duration.ofMillis(10)).atMost(PATIENCE).until(() -> latch.getCount() == 0);
    }

    private static void assertToTheLetter(Delivery received, SubscriptionSpec spec, Message sent, int attempt) {
        assertThat(received.source()).isEqualTo(spec.source());
        assertThat(received.group()).isEqualTo(spec.group());
        assertThat(received.messageId()).isEqualTo(sent.event().eventId());
        assertThat(received.body()).isEqualTo(sent.body());
        assertThat(received.attempt()).isEqualTo(attempt);
        assertHeaders(received.headers(), sent.event());
    }

    private static void assertToTheLetter(DeadLetter letter, SubscriptionSpec spec, Message sent, String error) {
        assertThat(letter.source()).isEqualTo(spec.source());
        assertThat(letter.group()).isEqualTo(spec.group());
        assertThat(letter.messageId()).isEqualTo(sent.event().eventId());
        assertThat(letter.body()).isEqualTo(sent.body());
        assertThat(letter.error()).isEqualTo(error);
        assertHeaders(letter.headers(), sent.event());
    }

    private static void assertHeaders(Map<String, String> headers, Event event) {
        assertThat(headers).containsAllEntriesOf(event.headers());
        assertThat(headers).containsEntry("traceId", event.traceId());
        assertThat(headers).containsEntry("bizKey", event.bizKey());
        assertThat(headers).containsEntry("schemaVersion", "2");
    }
}
