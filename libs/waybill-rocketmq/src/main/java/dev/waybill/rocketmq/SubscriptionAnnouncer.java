package dev.waybill.rocketmq;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.MessageQueueListener;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;

/**
 * Makes sure that the brokers know a consumer's subscription as it is now. With every change of its queues the client gives
 * the subscription a newer version and tells it in a heartbeat, but not while another heartbeat is under way, which carries
 * the older version. Then the brokers refuse its pulls ("the subscription is not latest") until the next heartbeat is due. So
 * it is told once more, when no other heartbeat is in the way.
 */
final class SubscriptionAnnouncer implements MessageQueueListener {

    /** Longer than a heartbeat takes. The next one that is due tells it in any case. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final long LOOK_NANOS = 10_000_000;

    private final DefaultMQPushConsumer consumer;
    private final @Nullable MessageQueueListener next;

    private SubscriptionAnnouncer(DefaultMQPushConsumer consumer) {
        this.consumer = consumer;
        this.next = consumer.getMessageQueueListener();
    }

    /** Listens before a listener that is there already. */
    static void listen(DefaultMQPushConsumer consumer) {
        consumer.setMessageQueueListener(new SubscriptionAnnouncer(consumer));
    }

    @Override
    public void messageQueueChanged(String topic, Set<MessageQueue> all, Set<MessageQueue> ours) {
        MQClientInstance client = client();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!client.sendHeartbeatToAllBrokerWithLockV2(true) && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
        if (next != null) {
            next.messageQueueChanged(topic, all, ours);
        }
    }

    @SuppressWarnings("deprecation") // the client itself cannot be asked for a heartbeat
    private MQClientInstance client() {
        return consumer.getDefaultMQPushConsumerImpl().getmQClientFactory();
    }
}
