package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.HandlerResult.Done;
import dev.waybill.message.HandlerResult.Reject;
import dev.waybill.message.HandlerResult.Retry;
import dev.waybill.message.Message;
import dev.waybill.testkit.SubscriptionFixture.Line;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What becomes of a delivery after each verdict. */
interface HandlerResultRules extends SubscriptionRules {

    @Test
    default void aFailedDeliveryComesBackAfterGrowingDelaysAndToTheLetter() {
        Line line = fixture().freshLine();
        List<Duration> delays = fixture().growingDelays();
        SubscriptionSpec spec = line.spec().withRetryDelays(delays);
        RecordingReceiver recorder = received(
                spec, delivery -> delivery.attempt() < 3 ? new Retry("not yet " + delivery.attempt()) : new Done());

        Message sent = send(line, 1).get(0);
        String id = sent.event().eventId();
        recorder.awaitDeliveries(id, 3, PATIENCE);
        await().atMost(PATIENCE).until(() -> recorder.answered() == 1);

        List<RecordingReceiver.Received> received = recorder.of(id);
        assertThat(recorder.attemptsOf(id)).containsExactly(1, 2, 3);
        for (int i = 0; i < 3; i++) {
            SampleMessages.assertToTheLetter(received.get(i).delivery(), spec, sent, i + 1);
        }
        for (int i = 0; i < 2; i++) {
            long gap = received.get(i + 1).at() - received.get(i).at();
            assertThat(Duration.ofNanos(gap)).isGreaterThan(delays.get(i).minus(GRAIN));
        }
    }

    @Test
    default void aDeliveryThatAlwaysFailsIsADeadLetterAfterTheLastDelay() {
        Line line = fixture().freshLine();
        Duration delay = fixture().growingDelays().get(0);
        SubscriptionSpec spec = line.spec().withRetryDelays(List.of(delay, delay));
        SavedLetters letters = collected(spec);
        RecordingReceiver recorder = received(spec, delivery -> new Retry("broken " + delivery.attempt()));

        Message sent = send(line, 1).get(0);

        DeadLetter letter = letters.await(1, PATIENCE).get(0);
        assertThat(recorder.attemptsOf(sent.event().eventId())).containsExactly(1, 2, 3);
        SampleMessages.assertToTheLetter(letter, spec, sent, "broken 3");
    }

    @Test
    default void aBuriedDeliveryIsADeadLetterAtOnceAndTheOthersFlowOn() {
        Line line = fixture().freshLine();
        SavedLetters letters = collected(line.spec());
        String poison = "bizKey";
        RecordingReceiver recorder = received(
                line.spec(),
                delivery -> "ORD7".equals(delivery.headers().get(poison)) ? new Reject("poison: 毒") : new Done());

        List<Message> sent = send(line, 20);
        recorder.awaitAnswered(20, PATIENCE);

        SampleMessages.assertToTheLetter(letters.await(1, PATIENCE).get(0), line.spec(), sent.get(7), "poison: 毒");
        sendAndAwait(line, recorder);
        assertThat(recorder.all()).hasSize(21);
        assertThat(letters.saved()).hasSize(1);
    }

    @Test
    default void batchesMayHaveMixedVerdicts() {
        Line line = fixture().freshLine();
        SubscriptionSpec spec = line.spec().withConcurrency(2, 20).withBatch(10);
        SavedLetters letters = collected(spec);
        RecordingReceiver recorder = new RecordingReceiver(delivery -> {
            String key = String.valueOf(delivery.headers().get("bizKey"));
            int number = Integer.parseInt(key.substring(3));
            return number % 3 == 0
                    ? new Done()
                    : number % 3 == 1 ? SubscriptionRules.firstAgain(delivery) : new Reject("third " + number);
        });
        Lifecycle subscription = subscriptions().subscribe(spec, recorder);
        List<Message> sent = send(line, 60); // before the start, so that there is something to put into batches
        run(subscription);

        letters.await(20, PATIENCE);
        for (int i = 0; i < sent.size(); i++) {
            recorder.awaitDeliveries(sent.get(i).event().eventId(), i % 3 == 1 ? 2 : 1, PATIENCE);
        }

        assertThat(recorder.largestBatch()).isBetween(2, 10);
        assertThat(recorder.all()).hasSize(80);
        assertThat(letters.saved())
                .extracting(DeadLetter::messageId)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 60)
                        .filter(i -> i % 3 == 2)
                        .mapToObj(i -> sent.get(i).event().eventId())
                        .toList());
    }
}
