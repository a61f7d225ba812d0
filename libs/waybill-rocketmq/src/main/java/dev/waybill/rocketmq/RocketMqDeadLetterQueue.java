package dev.waybill.rocketmq;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.HandlerResult;
import dev.waybill.transport.DeadLetterQueue;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.message.MessageConst;
import org.jspecify.annotations.Nullable;

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

    /** A sink that throws is asked again and again, and holds the letters behind: they have nowhere else to go. */
    @Override
    public Lifecycle collect(Sink sink) {
        SubscriptionSpec letters = SubscriptionSpec.of(MixAll.getDLQTopic(spec.group()), COLLECTORS + spec.group())
                .withConcurrency(1, 20);
        Lifecycle collector = subscriber.apply(letters, batch -> {
            batch.forEach(delivery ->
                    sink.save(letter(delivery.headers(), delivery.messageId(), delivery.body(), delivery.attempt())));
            return batch.stream()
                    .<HandlerResult>map(delivery -> new HandlerResult.Done())
                    .toList();
        });
        collecting.add(collector);
        return collector;
    }

    /**
     * The key holds what stays the same if a crash dead-lettered a message twice: the sender's unique id, how often it was
     * delivered and how often it was replayed.
     */
    private DeadLetter letter(Map<String, String> headers, @Nullable String messageId, byte[] body, int attempt) {
        String sending =
                headers.getOrDefault(MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX, String.valueOf(messageId));
        String key = sending + "-" + attempt + "-" + RocketMqProperties.replays(headers);
        return new DeadLetter(
                key, spec.source(), spec.group(), messageId, headers, body, headers.get(RocketMqProperties.ERROR));
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
