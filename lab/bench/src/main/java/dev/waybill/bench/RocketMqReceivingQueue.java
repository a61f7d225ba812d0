package dev.waybill.bench;

import dev.waybill.servers.RocketMq;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;

/** A topic of its own, read from its beginning. */
final class RocketMqReceivingQueue implements ReceivingQueue {

    private static final long POLL_MILLIS = 100;

    private final String topic = "BENCH_" + Long.toString(System.nanoTime(), 36).toUpperCase(Locale.ROOT);
    private final String nameServer;
    private final DefaultLitePullConsumer consumer = new DefaultLitePullConsumer("bench_" + topic);
    private final Collection<MessageQueue> queues;
    private final Arrivals arrivals = new Arrivals();
    private volatile @Nullable Thread reader;

    RocketMqReceivingQueue(RocketMq broker) {
        nameServer = broker.nameServer();
        broker.createTopic(topic);
        consumer.setNamesrvAddr(nameServer);
        consumer.setInstanceName(topic);
        consumer.setAutoCommit(false);
        // The offset is set before the first pull, because a later seek interrupts a running pull, which closes the
        // channel that both use.
        consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        try {
            consumer.start();
            queues = consumer.fetchMessageQueues(topic);
            consumer.assign(queues);
            consumer.pause(queues);
        } catch (MQClientException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String broker() {
        return nameServer;
    }

    @Override
    public String exchange() {
        return topic;
    }

    @Override
    public String key() {
        return "BENCH";
    }

    @Override
    public Arrivals arrivals() {
        return arrivals;
    }

    @Override
    public void listen() {
        if (reader == null) {
            consumer.resume(queues);
            Thread thread = new Thread(this::read, "receiving-queue-" + topic);
            thread.setDaemon(true);
            reader = thread;
            thread.start();
        }
    }

    private void read() {
        while (reader == Thread.currentThread()) {
            List<MessageExt> messages = consumer.poll(POLL_MILLIS);
            messages.forEach(message -> arrivals.add(message.getBody()));
        }
    }

    @Override
    public void stopListening() {
        consumer.pause(queues);
        reader = null;
    }

    @Override
    public void close() {
        stopListening();
        consumer.shutdown();
    }
}
