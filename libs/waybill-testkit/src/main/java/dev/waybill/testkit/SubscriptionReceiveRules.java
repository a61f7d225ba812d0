package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.HandlerResult.Done;
import dev.waybill.message.HandlerResult.Reject;
import dev.waybill.message.Message;
import dev.waybill.testkit.SubscriptionFixture.Route;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is sent is received: once when it is acknowledged, again when it is not; a slow receiver delays no other. */
interface SubscriptionReceiveRules extends SubscriptionRules {

    @Test
    default void everythingSentIsReceivedOnceAndUnchanged() {
        Route route = fixture().freshRoute();
        RecordingReceiver recorder = received(route.spec(), RecordingReceiver.DONE);

        List<Message> sent = send(route, 200);
        recorder.awaitAnswered(200, PATIENCE);
        sendAndAwait(route, recorder);

        assertThat(recorder.all()).hasSize(201);
        for (Message message : sent) {
            assertThat(recorder.of(message.event().eventId()))
                    .singleElement()
                    .satisfies(
                            received -> SampleMessages.assertUnchanged(received.delivery(), route.spec(), message, 1));
        }
    }

    @Test
    default void aReceiverThatThrowsCostsNoAttempt() {
        Route route = fixture().freshRoute();
        AtomicInteger calls = new AtomicInteger();
        RecordingReceiver recorder = received(route.spec().withConcurrency(1, 20), delivery -> {
            switch (calls.incrementAndGet()) {
                case 1 -> throw new IllegalStateException("thrown on purpose");
                case 2 -> throw new AssertionError("an error on purpose");
                default -> {
                    return new Done();
                }
            }
        });

        List<Message> sent = send(route, 5);
        recorder.awaitAnswered(5, PATIENCE);

        assertThat(recorder.all()).allMatch(each -> each.delivery().attempt() == 1);
        assertThat(recorder.all()).hasSize(7);
        assertThat(recorder.all())
                .extracting(each -> each.delivery().messageId())
                .hasSameElementsAs(
                        sent.stream().map(each -> each.event().eventId()).toList());
    }

    @Test
    default void aWrongNumberOfResultsAcknowledgesNothing() {
        Route route = fixture().freshRoute();
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        run(subscriptions().subscribe(route.spec().withConcurrency(1, 20), batch -> {
            if (calls.incrementAndGet() == 1) {
                return List.of();
            }
            done.countDown();
            return List.of(new Done());
        }));

        send(route, 1);

        SubscriptionRules.awaitZero(done);
        assertThat(calls).hasValue(2);
    }

    @Test
    default void aReceiverThatWaitsHoldsUpOnlyItsOwnDelivery() {
        Route route = fixture().freshRoute();
        SubscriptionSpec spec = route.spec().withConcurrency(3, 10);
        CountDownLatch release = new CountDownLatch(1);
        RecordingReceiver recorder = received(spec, delivery -> {
            if ("ORD0".equals(delivery.headers().get("bizKey"))) {
                release.await();
            }
            return new Done();
        });

        List<Message> sent = send(route, 300);
        recorder.awaitAnswered(299, PATIENCE);
        release.countDown();
        recorder.awaitAnswered(300, PATIENCE);
        sendAndAwait(route, recorder);

        assertThat(recorder.attemptsOf(sent.get(0).event().eventId())).containsExactly(1);
        assertThat(recorder.all()).hasSize(301);
        assertThat(recorder.mostAtWork()).isLessThanOrEqualTo(3);
    }

    @Test
    default void fiveThousandMessagesGoThroughFourReceivers() {
        Route route = fixture().freshRoute();
        SubscriptionSpec spec = route.spec().withConcurrency(4, 20);
        send(route, 5_000);
        RecordingReceiver recorder = new RecordingReceiver(RecordingReceiver.DONE);
        Lifecycle subscription = subscriptions().subscribe(spec, recorder);

        long began = System.nanoTime();
        run(subscription);
        recorder.awaitAnswered(5_000, PATIENCE);
        Duration took = Duration.ofNanos(System.nanoTime() - began);

        assertThat(recorder.all()).hasSize(5_000);
        assertThat(recorder.mostAtWork()).isLessThanOrEqualTo(4);
        LoggerFactory.getLogger(SubscriptionContract.class)
                .info(
                        "[SubscriptionContract] {} took 5,000 messages in {} ms",
                        subscriptions().name(),
                        took.toMillis());
    }

    /** One outage serves several questions, because each restart of a real broker takes seconds. */
    @Test
    @Tag("outage")
    default void aKilledBrokerIsFoundAgainAndLosesNothing() {
        Route route = fixture().freshRoute();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        SavedLetters letters = collected(route.spec());
        RecordingReceiver recorder = received(route.spec(), delivery -> {
            int number = Integer.parseInt(
                    String.valueOf(delivery.headers().get("bizKey")).substring(3));
            if (number == 1 && release.getCount() > 0) {
                begun.countDown();
                release.await(); // still at work when the broker dies
            }
            return number == 2
                    ? new Reject("during the outage")
                    : number == 3 ? SubscriptionRules.retryOnce(delivery) : new Done();
        });
        List<Message> sent = send(route, 100);
        SubscriptionRules.awaitZero(begun);

        fixture().kill();
        release.countDown();
        fixture().revive();

        recorder.awaitAnswered(100, RECOVERY);
        recorder.awaitDeliveries(sent.get(3).event().eventId(), 2, RECOVERY);
        letters.await(1, RECOVERY);
        await().atMost(RECOVERY).ignoreExceptions().until(() -> harness().confirms(route.destination()));
        recorder.awaitAnswered(101, RECOVERY);
        assertThat(recorder.attemptsOf(sent.get(1).event().eventId())).allMatch(attempt -> attempt == 1);
        assertThat(letters.saved().stream().map(DeadLetter::key).distinct()).hasSize(1);
    }
}
