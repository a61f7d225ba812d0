package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.HandlerResult;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.Receiver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A receiver that records its deliveries and returns the results that a rule gives. */
final class RecordingReceiver implements Receiver {

    /** Gives the result of one delivery. */
    interface Rule {
        HandlerResult answer(Delivery delivery) throws InterruptedException;
    }

    /** One delivery and when it came, by {@link System#nanoTime}. */
    record Received(Delivery delivery, long at) {}

    static final Rule DONE = delivery -> new HandlerResult.Done();

    private final Rule rule;
    private final List<Received> received = new ArrayList<>();
    private final Map<String, Integer> answered = new HashMap<>();
    private final List<Integer> batchSizes = new ArrayList<>();
    private final AtomicInteger atWork = new AtomicInteger();
    private final AtomicInteger mostAtWork = new AtomicInteger();

    RecordingReceiver(Rule rule) {
        this.rule = rule;
    }

    @Override
    public List<HandlerResult> receive(List<Delivery> batch) throws InterruptedException {
        mostAtWork.accumulateAndGet(atWork.incrementAndGet(), Math::max);
        try {
            synchronized (this) {
                batchSizes.add(batch.size());
                batch.forEach(delivery -> received.add(new Received(delivery, System.nanoTime())));
            }
            List<HandlerResult> results = new ArrayList<>(batch.size());
            for (Delivery delivery : batch) {
                results.add(rule.answer(delivery));
            }
            synchronized (this) {
                batch.forEach(delivery -> answered.merge(delivery.messageId(), 1, Integer::sum));
            }
            return results;
        } finally {
            atWork.decrementAndGet();
        }
    }

    int mostAtWork() {
        return mostAtWork.get();
    }

    synchronized int largestBatch() {
        return batchSizes.stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    synchronized List<Received> all() {
        return List.copyOf(received);
    }

    /** The deliveries of one message, in the order in which they came. */
    List<Received> of(String messageId) {
        return all().stream()
                .filter(each -> messageId.equals(each.delivery().messageId()))
                .toList();
    }

    List<Integer> attemptsOf(String messageId) {
        return of(messageId).stream().map(each -> each.delivery().attempt()).toList();
    }

    /** How many different messages the rule has answered. */
    synchronized int answered() {
        return answered.size();
    }

    void awaitAnswered(int messages, Duration patience) {
        await().pollInterval(Duration.ofMillis(10)).atMost(patience).until(() -> answered() >= messages);
    }

    void awaitDeliveries(String messageId, int deliveries, Duration patience) {
        await().pollInterval(Duration.ofMillis(10))
                .atMost(patience)
                .untilAsserted(() -> assertThat(of(messageId)).hasSizeGreaterThanOrEqualTo(deliveries));
    }
}
