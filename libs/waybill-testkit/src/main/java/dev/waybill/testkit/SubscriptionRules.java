package dev.waybill.testkit;

import static org.awaitility.Awaitility.await;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.Message;
import dev.waybill.testkit.SubscriptionFixture.Route;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** What the rules of subscriptions share: a sender, receivers, and collectors of dead letters. */
interface SubscriptionRules {

    Duration PATIENCE = Duration.ofSeconds(20);

    /** A broker that was killed takes seconds to come back, and clients look for it at intervals. */
    Duration RECOVERY = Duration.ofSeconds(60);

    /** What clocks and thread switches may take off a delay. */
    Duration GRAIN = Duration.ofMillis(20);

    SubscriptionHarness harness();

    default SubscriptionFixture fixture() {
        return harness().fixture;
    }

    default Subscriptions subscriptions() {
        return harness().subscriptions;
    }

    /** Starts it, and stops it after the test. */
    default Lifecycle run(Lifecycle lifecycle) {
        return harness().run(lifecycle);
    }

    default RecordingReceiver received(SubscriptionSpec spec, RecordingReceiver.Rule rule) {
        RecordingReceiver recorder = new RecordingReceiver(rule);
        run(subscriptions().subscribe(spec, recorder));
        return recorder;
    }

    default SavedLetters collected(SubscriptionSpec spec) {
        SavedLetters letters = new SavedLetters();
        run(subscriptions().deadLetters(spec).collect(letters));
        return letters;
    }

    /** Sends, and waits for the broker's confirms. */
    default List<Message> send(Route route, int count) {
        return harness().send(route.destination(), count);
    }

    /** Sends one more message and waits for it: whatever the broker had to deliver before, it has delivered. */
    default void sendAndAwait(Route route, RecordingReceiver recorder) {
        String id = send(route, 1).get(0).event().eventId();
        recorder.awaitDeliveries(id, 1, PATIENCE);
    }

    static HandlerResult retryOnce(Delivery delivery) {
        return delivery.attempt() == 1 ? new HandlerResult.Retry("once more") : new HandlerResult.Done();
    }

    static void awaitZero(CountDownLatch latch) {
        await().pollInterval(Duration.ofMillis(10)).atMost(PATIENCE).until(() -> latch.getCount() == 0);
    }
}
