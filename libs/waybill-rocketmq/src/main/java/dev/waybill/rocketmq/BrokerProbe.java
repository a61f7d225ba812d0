package dev.waybill.rocketmq;

import dev.waybill.message.LogText;
import dev.waybill.transport.SendTarget;
import java.util.HashMap;
import java.util.Map;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks name server and broker whether they answer, without sending anything. */
final class BrokerProbe {

    private static final Logger log = LoggerFactory.getLogger(BrokerProbe.class);

    private BrokerProbe() {}

    /**
     * Every broker serves a self-test topic, which stands for the broker as a whole. A name server that does not know even
     * that one says nothing against a try.
     */
    static boolean answers(DefaultMQProducer producer, SendTarget target, boolean createTopics) {
        if (!(target instanceof SendTarget.Topic topic)) {
            return served(producer, TopicValidator.RMQ_SYS_SELF_TEST_TOPIC, true);
        }
        return served(producer, topic.name(), false)
                || (createTopics && served(producer, TopicValidator.AUTO_CREATE_TOPIC_KEY_TOPIC, false));
    }

    /** @param unrouted what to say when the name server answers that it has no such topic */
    private static boolean served(DefaultMQProducer producer, String topic, boolean unrouted) {
        try {
            Map<String, MessageQueue> oneQueuePerBroker = new HashMap<>();
            producer.fetchPublishMessageQueues(topic)
                    .forEach(queue -> oneQueuePerBroker.put(queue.getBrokerName(), queue));
            return oneQueuePerBroker.values().stream().anyMatch(queue -> answers(producer, queue));
        } catch (MQClientException | RuntimeException e) {
            log.debug("[RocketMqTransport] Probe failed topic={}", LogText.token(topic), LogText.thrown(e));
            return unrouted
                    && e.getCause() instanceof MQClientException answer
                    && answer.getResponseCode() == ResponseCode.TOPIC_NOT_EXIST;
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
