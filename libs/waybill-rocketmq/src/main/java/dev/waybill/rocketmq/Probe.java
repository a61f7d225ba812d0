package dev.waybill.rocketmq;

import java.util.List;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks name server and broker whether they answer, without sending anything. */
final class Probe {

    private static final Logger log = LoggerFactory.getLogger(Probe.class);

    private Probe() {}

    /** Every broker serves its own self-test topic, so it stands for the broker as a whole. */
    static boolean answers(DefaultMQProducer producer, String topic, boolean createTopics) {
        if (topic.isEmpty()) {
            return served(producer, TopicValidator.RMQ_SYS_SELF_TEST_TOPIC);
        }
        return served(producer, topic)
                || (createTopics && served(producer, TopicValidator.AUTO_CREATE_TOPIC_KEY_TOPIC));
    }

    private static boolean served(DefaultMQProducer producer, String topic) {
        try {
            List<MessageQueue> queues = producer.fetchPublishMessageQueues(topic);
            return queues.stream()
                    .map(MessageQueue::getBrokerName)
                    .distinct()
                    .anyMatch(broker -> queues.stream()
                            .filter(queue -> queue.getBrokerName().equals(broker))
                            .findFirst()
                            .filter(queue -> answers(producer, queue))
                            .isPresent());
        } catch (MQClientException | RuntimeException e) {
            log.debug("[RocketMqTransport] Probe failed topic={}", topic, e);
            return false;
        }
    }

    @SuppressWarnings("deprecation") // the client offers no other harmless question to a broker
    private static boolean answers(DefaultMQProducer producer, MessageQueue queue) {
        try {
            producer.maxOffset(queue);
            return true;
        } catch (MQClientException e) {
            // Any answer is an answer; only silence and broken connections mean that nobody is there.
            return e.getCause() instanceof MQBrokerException broker
                    && broker.getResponseCode() != ResponseCode.SERVICE_NOT_AVAILABLE;
        }
    }
}
