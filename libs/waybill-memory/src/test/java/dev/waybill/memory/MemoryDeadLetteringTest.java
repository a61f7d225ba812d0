package dev.waybill.memory;

import static dev.waybill.memory.MarketTopology.DEAD;
import static dev.waybill.memory.MarketTopology.EXCHANGE;
import static dev.waybill.memory.MarketTopology.FULFILMENT;
import static dev.waybill.memory.MarketTopology.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.DeadLetter;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.Message;
import dev.waybill.transport.DeadLetterQueue;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Dead letters of declared queues, as their subscribers and collectors see them, by the real clock. */
class MemoryDeadLetteringTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration TTL = Duration.ofMillis(300);

    private final MemoryBroker broker = MarketTopology.declare(new MemoryBroker(), TTL);
    private final MemorySubscriptions subscriptions = new MemorySubscriptions(broker);
    private final List<Delivery> received = new CopyOnWriteArrayList<>();
    private final List<DeadLetter> letters = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        subscriptions.close();
    }

    @Test
    void aReceiverGetsWhatExpiredAsAFirstDeliveryAfterItsTime() {
        receive(TIMEOUT, delivery -> new HandlerResult.Done());
        long began = System.nanoTime();
        Message sent = MarketTopology.send(broker, "order.timeout.delay");

        awaitSize(received, 1);

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(TTL);
        assertThat(received.get(0).messageId()).isEqualTo(sent.event().eventId());
        assertThat(received.get(0).body()).isEqualTo(sent.body());
        assertThat(received.get(0).attempt()).isOne();
        assertThat(received.get(0).source()).isEqualTo(TIMEOUT);
    }

    @Test
    void oneQueueForDeadLettersServesManyAndEachCollectorGetsItsOwn() {
        receive(TIMEOUT, delivery -> new HandlerResult.Reject("too late"));
        receive(FULFILMENT, delivery -> new HandlerResult.Reject("not paid"));
        Message paid = MarketTopology.send(broker, "order.paid");
        Message late = MarketTopology.send(broker, "order.timeout");
        await().atMost(PATIENCE).until(() -> broker.depth(DEAD) == 2);

        collect(FULFILMENT);
        awaitSize(letters, 1);
        await().during(Duration.ofMillis(200)).atMost(PATIENCE).until(() -> broker.depth(DEAD) == 1);
        collect(TIMEOUT);
        awaitSize(letters, 2);

        assertThat(letters)
                .extracting(DeadLetter::source, DeadLetter::messageId, DeadLetter::error)
                .containsExactly(
                        tuple(FULFILMENT, paid.event().eventId(), "not paid"),
                        tuple(TIMEOUT, late.event().eventId(), "too late"));
        assertThat(broker.depth(DEAD)).isZero();
    }

    @Test
    void whatWasRetriedInVainIsDeadLetteredAndReplayedToItsQueueAlone() {
        broker.declareQueue(QueueSpec.of("audit")).bind("audit", EXCHANGE, "order.paid");
        receive(
                FULFILMENT,
                delivery -> received.size() <= 2 ? new HandlerResult.Retry("not yet") : new HandlerResult.Done());
        DeadLetterQueue dead = collect(FULFILMENT);
        MarketTopology.send(broker, "order.paid");
        awaitSize(letters, 1);

        dead.replay(letters.get(0));
        awaitSize(received, 3);

        assertThat(received).extracting(Delivery::attempt).containsExactly(1, 2, 1);
        assertThat(letters).extracting(DeadLetter::error).containsExactly("not yet");
        assertThat(broker.depth("audit")).isOne();
    }

    @Test
    void aLetterThatReachesNoQueueComesBackUntilItDoes() {
        broker.unbind(DEAD, EXCHANGE, "order.dlq");
        receive(FULFILMENT, delivery -> new HandlerResult.Reject("never"));
        MarketTopology.send(broker, "order.paid");
        awaitSize(received, 2);

        broker.bind(DEAD, EXCHANGE, "order.dlq");

        await().atMost(PATIENCE).until(() -> broker.depth(DEAD) == 1);
        assertThat(broker.depth(FULFILMENT)).isZero();
    }

    @Test
    void whoeverSubscribesToAQueueSharesIt() {
        receive(FULFILMENT, delivery -> new HandlerResult.Done());
        subscriptions
                .subscribe(spec(FULFILMENT, "another group"), batch -> {
                    received.addAll(batch);
                    return List.of(new HandlerResult.Done());
                })
                .start();

        for (int i = 0; i < 20; i++) {
            MarketTopology.send(broker, "order.paid");
        }

        awaitSize(received, 20);
        await().during(Duration.ofMillis(200)).atMost(PATIENCE).until(() -> received.size() == 20);
    }

    @Test
    void aQueueWithoutADeadLetterExchangeTakesNoSubscriber() {
        assertThatThrownBy(() -> receive(DEAD, delivery -> new HandlerResult.Done()))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(TransportException.Reason.UNSAFE_SETTING));
        assertThatThrownBy(() -> receive(EXCHANGE, delivery -> new HandlerResult.Done()))
                .hasMessageContaining("is an exchange");
    }

    private void receive(String queue, Function<Delivery, HandlerResult> receiver) {
        subscriptions
                .subscribe(spec(queue, "group-of-" + queue), batch -> {
                    received.addAll(batch);
                    return batch.stream().map(receiver).toList();
                })
                .start();
    }

    private DeadLetterQueue collect(String queue) {
        DeadLetterQueue dead = subscriptions.deadLetters(spec(queue, "group-of-" + queue));
        dead.collect(letters::add).start();
        return dead;
    }

    private static SubscriptionSpec spec(String queue, String group) {
        return SubscriptionSpec.of(queue, group).withConcurrency(1, 1).withRetryDelays(List.of(Duration.ofMillis(20)));
    }

    private static void awaitSize(List<?> list, int size) {
        await().atMost(PATIENCE).until(() -> list.size() >= size);
    }
}
