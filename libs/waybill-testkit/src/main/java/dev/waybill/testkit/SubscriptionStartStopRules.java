package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.HandlerResult.Done;
import dev.waybill.testkit.SubscriptionFixture.Route;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Subscriptions start and stop in any order, and nothing is lost in between. */
interface SubscriptionStartStopRules extends SubscriptionRules {

    @Test
    default void stopWaitsForTheReceiverAndAcknowledgesItsResult() throws Exception {
        Route route = fixture().freshRoute();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        RecordingReceiver recorder = new RecordingReceiver(delivery -> {
            begun.countDown();
            release.await();
            return new Done();
        });
        Lifecycle subscription = run(subscriptions().subscribe(route.spec(), recorder));
        send(route, 1);
        SubscriptionRules.awaitZero(begun);

        CompletableFuture<Boolean> stopped = CompletableFuture.supplyAsync(() -> subscription.stop(PATIENCE));
        await().during(Duration.ofMillis(300)).atMost(PATIENCE).until(() -> !stopped.isDone());
        release.countDown();

        assertThat(stopped.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(subscription.isRunning()).isFalse();
        subscription.start();
        sendAndAwait(route, recorder);
        assertThat(recorder.all()).hasSize(2);
    }

    @Test
    default void unacknowledgedMessagesComeBackAfterARestartAsFirstAttempts() {
        Route route = fixture().freshRoute();
        SubscriptionSpec spec = route.spec().withConcurrency(2, 20);
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch never = new CountDownLatch(1);
        Lifecycle first = run(subscriptions().subscribe(spec, batch -> {
            begun.countDown();
            never.await();
            return List.of(new Done());
        }));
        send(route, 50);
        SubscriptionRules.awaitZero(begun);

        assertThat(first.stop(Duration.ofMillis(200))).isFalse();
        RecordingReceiver recorder = received(spec, RecordingReceiver.DONE);

        recorder.awaitAnswered(50, PATIENCE);
        assertThat(recorder.all()).allMatch(each -> each.delivery().attempt() == 1);
    }

    @Test
    default void startAndStopMayComeTwiceAndInAnyOrder() {
        Route route = fixture().freshRoute();
        RecordingReceiver recorder = new RecordingReceiver(RecordingReceiver.DONE);
        Lifecycle subscription = subscriptions().subscribe(route.spec(), recorder);

        assertThat(subscription.stop(PATIENCE)).isTrue();
        assertThat(subscription.isRunning()).isFalse();
        run(subscription);
        subscription.start();
        await().atMost(PATIENCE).until(subscription::isRunning);
        assertThat(subscription.obstacle()).isNull();
        sendAndAwait(route, recorder);
        assertThat(subscription.stop(PATIENCE)).isTrue();
        assertThat(subscription.stop(PATIENCE)).isTrue();
        subscription.start();
        sendAndAwait(route, recorder);
        assertThat(recorder.all()).hasSize(2);
    }

    @Test
    default void closeStopsEverythingAndNothingStartsAfterwards() {
        Route route = fixture().freshRoute();
        Lifecycle subscription =
                run(subscriptions().subscribe(route.spec(), new RecordingReceiver(RecordingReceiver.DONE)));
        Lifecycle collecting = run(subscriptions().deadLetters(route.spec()).collect(new SavedLetters()));

        subscriptions().close();
        subscriptions().close();

        assertThat(subscription.isRunning()).isFalse();
        assertThat(collecting.isRunning()).isFalse();
        Receiver receiver = new RecordingReceiver(RecordingReceiver.DONE);
        assertThatThrownBy(() -> subscriptions().subscribe(route.spec(), receiver))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.reason()).isEqualTo(TransportException.Reason.NOT_RUNNING));
    }
}
