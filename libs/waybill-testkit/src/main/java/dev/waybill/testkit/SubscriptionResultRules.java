package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.HandlerResult.Done;
import dev.waybill.message.HandlerResult.Ignored;
import dev.waybill.message.HandlerResult.Reject;
import dev.waybill.message.HandlerResult.Retry;
import dev.waybill.message.Message;
import dev.waybill.testkit.SubscriptionFixture.Route;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What becomes of a delivery after each handler result. */
interface SubscriptionResultRules extends SubscriptionRules {

    @Test
    default void aFailedDeliveryComesBackUnchangedAfterGrowingDelays() {
        Route route = fixture().freshRoute();
        List<Duration> delays = fixture().growingDelays();
        SubscriptionSpec spec = route.spec().withRetryDelays(delays);
        RecordingReceiver recorder = received(
                spec, delivery -> delivery.attempt() < 3 ? new Retry("not yet " + delivery.attempt()) : new Done());

        Message sent = send(route, 1).get(0);
        String id = sent.event().eventId();
        recorder.awaitDeliveries(id, 3, PATIENCE);
        await().atMost(PATIENCE).until(() -> recorder.answered() == 1);

        List<RecordingReceiver.Received> received = recorder.of(id);
        assertThat(recorder.attemptsOf(id)).containsExactly(1, 2, 3);
        for (int i = 0; i < 3; i++) {
            SampleMessages.assertUnchanged(received.get(i).delivery(), spec, sent, i + 1);
        }
        for (int i = 0; i < 2; i++) {
            long gap = received.get(i + 1).at() - received.get(i).at();
            assertThat(Duration.ofNanos(gap)).isGreaterThan(delays.get(i).minus(GRAIN));
        }
    }

    @Test
    default void anIgnoredDeliveryIsAcknowledged() {
        Route route = fixture().freshRoute();
        RecordingReceiver recorder = received(route.spec(), delivery -> new Ignored("nothing to do"));

        List<Message> sent = send(route, 3);
        sent.forEach(message -> recorder.awaitDeliveries(message.event().eventId(), 1, PATIENCE));
        sendAndAwait(route, recorder);

        for (Message message : sent) {
            assertThat(recorder.attemptsOf(message.event().eventId())).containsExactly(1);
        }
    }

    @Test
    default void aDeliveryThatAlwaysFailsIsADeadLetterAfterTheLastDelay() {
        Route route = fixture().freshRoute();
        Duration delay = fixture().growingDelays().get(0);
        SubscriptionSpec spec = route.spec().withRetryDelays(List.of(delay, delay));
        SavedLetters letters = collected(spec);
        RecordingReceiver recorder = received(spec, delivery -> new Retry("broken " + delivery.attempt()));

        Message sent = send(route, 1).get(0);

        DeadLetter letter = letters.await(1, PATIENCE).get(0);
        assertThat(recorder.attemptsOf(sent.event().eventId())).containsExactly(1, 2, 3);
        SampleMessages.assertUnchanged(letter, spec, sent, "broken 3");
    }

    @Test
    default void aRejectedDeliveryIsADeadLetterAtOnceAndTheOthersGoOn() {
        Route route = fixture().freshRoute();
        SavedLetters letters = collected(route.spec());
        String poison = "bizKey";
        RecordingReceiver recorder = received(
                route.spec(),
                delivery -> "ORD7".equals(delivery.headers().get(poison)) ? new Reject("poison: 毒") : new Done());

        List<Message> sent = send(route, 20);
        recorder.awaitAnswered(20, PATIENCE);

        SampleMessages.assertUnchanged(letters.await(1, PATIENCE).get(0), route.spec(), sent.get(7), "poison: 毒");
        sendAndAwait(route, recorder);
        assertThat(recorder.all()).hasSize(21);
        assertThat(letters.saved()).hasSize(1);
    }

    @Test
    default void batchesMayHaveMixedResults() {
        Route route = fixture().freshRoute();
        SubscriptionSpec spec = route.spec().withConcurrency(2, 20).withBatch(10);
        SavedLetters letters = collected(spec);
        RecordingReceiver recorder = new RecordingReceiver(delivery -> {
            String key = String.valueOf(delivery.headers().get("bizKey"));
            int number = Integer.parseInt(key.substring(3));
            return number % 3 == 0
                    ? new Done()
                    : number % 3 == 1 ? SubscriptionRules.retryOnce(delivery) : new Reject("third " + number);
        });
        Lifecycle subscription = subscriptions().subscribe(spec, recorder);
        List<Message> sent = send(route, 60); // before the start, so that there is something to put into batches
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
