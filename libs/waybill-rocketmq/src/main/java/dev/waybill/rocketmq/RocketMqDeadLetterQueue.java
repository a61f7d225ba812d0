package dev.waybill.rocketmq;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.HandlerResult;
import dev.waybill.transport.DeadLetterQueue;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import org.apache.rocketmq.common.MixAll;

/**
 * The dead letters of one group. They are collected by a group of their own, {@code waybill-dead-<group>}, whose progress
 * says which letters are saved; RocketMQ itself drops them after its retention time, saved or not.
 */
final class RocketMqDeadLetterQueue implements DeadLetterQueue {

    private static final String COLLECTORS = "waybill-dead-";

    private final SubscriptionSpec spec;
    private final BiFunction<SubscriptionSpec, Receiver, Lifecycle> subscriber;
    private final Republisher republisher;
    private final Duration stopTimeout;
    private final List<Lifecycle> collecting = new CopyOnWriteArrayList<>();

    RocketMqDeadLetterQueue(
            SubscriptionSpec spec,
            BiFunction<SubscriptionSpec, Receiver, Lifecycle> subscriber,
            Republisher republisher,
            Duration stopTimeout) {
        this.spec = spec;
        this.subscriber = subscriber;
        this.republisher = republisher;
        this.stopTimeout = stopTimeout;
    }

    /** A sink that throws is asked again for a moment; then the letter waits at the broker, and those behind it go on. */
    @Override
    public Lifecycle collect(Sink sink) {
        SubscriptionSpec letters = SubscriptionSpec.of(MixAll.getDLQTopic(spec.group()), COLLECTORS + spec.group())
                .withConcurrency(1, 20);
        Lifecycle collector = subscriber.apply(letters, batch -> {
            batch.forEach(delivery -> sink.save(letter(delivery)));
            return batch.stream()
                    .<HandlerResult>map(delivery -> new HandlerResult.Done())
                    .toList();
        });
        collecting.add(collector);
        return collector;
    }

    private DeadLetter letter(Delivery delivery) {
        return new DeadLetter(
                DeadLetterKey.of(delivery),
                spec.source(),
                spec.group(),
                delivery.messageId(),
                delivery.headers(),
                delivery.body(),
                delivery.headers().get(RocketMqProperties.ERROR));
    }

    @Override
    public SendResult replay(DeadLetter letter) {
        return republisher.replay(spec.source(), spec.group(), letter);
    }

    @Override
    public void close() {
        collecting.forEach(collector -> collector.stop(stopTimeout));
    }
}
