package dev.waybill.rocketmq;

import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.time.Duration;
import java.util.UUID;
import org.apache.rocketmq.client.Validators;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.remoting.protocol.heartbeat.MessageModel;

/** Makes the client's consumer from a spec and the settings of the subscriptions, or refuses. */
final class ClientConsumers {

    /** A week, in the client's minutes: after this time the client itself would send back what a receiver holds. */
    private static final long NEVER = Duration.ofDays(7).toMinutes();

    /** The client's largest: how far other messages may run ahead of one that a receiver holds. */
    private static final int SPAN = 65_535;

    private static final int LARGEST_PULL = 32;

    private ClientConsumers() {}

    static void check(SubscriptionSpec spec) {
        try {
            Validators.checkGroup(spec.group());
            Validators.checkTopic(spec.source());
            Validators.checkTopic(MixAll.getRetryTopic(spec.group()));
        } catch (MQClientException e) {
            throw new TransportException(Reason.BAD_SETTING, String.valueOf(e.getErrorMessage()), e);
        }
        spec.retryDelays().forEach(DelayLevels::of);
        require(spec.concurrency() <= 1000, "concurrency is at most 1000 on RocketMQ");
        require(spec.batch() <= 1024, "batch is at most 1024 on RocketMQ");
    }

    static DefaultMQPushConsumer make(
            RocketMqSubscriptions.Builder builder, SubscriptionSpec spec, MessageListenerConcurrently listener) {
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(spec.group(), builder.rpcHook);
        consumer.setNamesrvAddr(builder.nameServers);
        // Clients of one name share connections and fate: stopping one subscription would stop another.
        consumer.setInstanceName("waybill-" + UUID.randomUUID());
        consumer.setPollNameServerInterval(millis(builder.pollNameServer));
        // A restarted broker serves nobody who has not shown up since.
        consumer.setHeartbeatBrokerInterval(millis(builder.pollNameServer));
        consumer.setMessageModel(MessageModel.CLUSTERING);
        consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        consumer.setConsumeThreadMin(spec.concurrency());
        consumer.setConsumeThreadMax(spec.concurrency());
        consumer.setConsumeMessageBatchMaxSize(spec.batch());
        consumer.setPullBatchSize(Math.min(LARGEST_PULL, Math.max(spec.prefetch(), spec.batch())));
        // For each of the topic's queues; the client checks it at intervals, so a lower one would stall quick
        // receivers.
        consumer.setPullThresholdForQueue(Math.min(SPAN, Math.max(spec.prefetch(), spec.batch()) * spec.concurrency()));
        consumer.setConsumeConcurrentlyMaxSpan(SPAN);
        consumer.setConsumeTimeout(NEVER);
        consumer.setMaxReconsumeTimes(spec.retryDelays().size());
        builder.adjustment.accept(consumer);
        refuse(consumer.getMessageModel() != MessageModel.CLUSTERING, "messageModel=BROADCASTING", "CLUSTERING");
        refuse(consumer.getConsumeTimeout() < NEVER, "consumeTimeout=" + consumer.getConsumeTimeout(), "" + NEVER);
        refuse(consumer.getMessageListener() != null, "messageListener of your own", "none");
        refuse(!consumer.getConsumerGroup().equals(spec.group()), "consumerGroup of your own", spec.group());
        require(
                consumer.getConsumeThreadMax() == spec.concurrency(),
                "set the spec's concurrency, not consumeThreadMax");
        consumer.registerMessageListener(listener);
        SubscriptionAnnouncer.listen(consumer);
        try {
            consumer.subscribe(spec.source(), spec.tag());
        } catch (MQClientException e) {
            throw new TransportException(Reason.BAD_SETTING, "tag " + spec.tag() + ": " + e.getMessage(), e);
        }
        return consumer;
    }

    private static void refuse(boolean unsafe, String setting, String instead) {
        if (unsafe) {
            throw new TransportException(
                    Reason.UNSAFE_SETTING, setting + " would lose or spend messages; set it to " + instead, null);
        }
    }

    static void require(boolean sensible, String objection) {
        if (!sensible) {
            throw new TransportException(Reason.BAD_SETTING, objection, null);
        }
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }
}
