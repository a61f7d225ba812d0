package dev.waybill.faults;

import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;

/** A consumer group on one topic. */
final class RocketMqArrivals extends Arrivals {

    private final DefaultMQPushConsumer consumer;

    RocketMqArrivals(String nameServer, String topic) {
        consumer = new DefaultMQPushConsumer("arrivals_" + topic);
        consumer.setNamesrvAddr(nameServer);
        consumer.setInstanceName("arrivals-" + topic);
        consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        consumer.setPollNameServerInterval(1000);
        // A broker that does not know the subscription's newest version refuses every pull until the next heartbeat.
        consumer.setHeartbeatBrokerInterval(1000);
        consumer.setConsumeMessageBatchMaxSize(32);
        consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
            messages.forEach(message -> arrived(message.getKeys()));
            return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
        try {
            consumer.subscribe(topic, "*");
            consumer.start();
        } catch (MQClientException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        consumer.shutdown();
    }
}
