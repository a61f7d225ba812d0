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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks name server and broker whether they answer, without sending anything. */
final class BrokerProbe {

    private static final Logger log = LoggerFactory.getLogger(BrokerProbe.class);

    private BrokerProbe() {}

    static boolean answers(DefaultMQProducer producer, SendTarget target, boolean createTopics) {
        if (!(target instanceof SendTarget.Topic topic)) {
            return silence(producer) == null;
        }
        return silence(producer, topic.name()) == null
                || (createTopics && silence(producer, TopicValidator.AUTO_CREATE_TOPIC_KEY_TOPIC) == null);
    }

    /**
     * Null when a broker answers; else why none does. Every broker serves a self-test topic, which stands for the broker as a
     * whole. A name server that does not know even that one says nothing against a try.
     */
    static @Nullable String silence(DefaultMQProducer producer) {
        Exception silence = silence(producer, TopicValidator.RMQ_SYS_SELF_TEST_TOPIC);
        boolean unrouted = silence != null
                && silence.getCause() instanceof MQClientException answer
                && answer.getResponseCode() == ResponseCode.TOPIC_NOT_EXIST;
        return silence == null || unrouted ? null : String.valueOf(silence);
    }

    /** What the last broker of the topic, or the name server, answered with; null when one of the brokers serves it. */
    private static @Nullable Exception silence(DefaultMQProducer producer, String topic) {
        try {
            Map<String, MessageQueue> oneQueuePerBroker = new HashMap<>();
            producer.fetchPublishMessageQueues(topic)
                    .forEach(queue -> oneQueuePerBroker.put(queue.getBrokerName(), queue));
            Exception silence = new IllegalStateException("no broker serves topic " + topic);
            for (MessageQueue queue : oneQueuePerBroker.values()) {
                silence = silence(producer, queue);
                if (silence == null) {
                    return null;
                }
            }
            return silence;
        } catch (MQClientException | RuntimeException e) {
            log.debug("[RocketMqTransport] Probe failed topic={}", LogText.token(topic), LogText.thrown(e));
            return e;
        }
    }

    @SuppressWarnings("deprecation") // the client offers no other harmless question to a broker
    private static @Nullable Exception silence(DefaultMQProducer producer, MessageQueue queue) {
        try {
            producer.maxOffset(queue);
            return null;
        } catch (MQClientException e) {
            // Any answer is an answer; only silence and broken connections mean that nobody is there.
            boolean answered = e.getCause() instanceof MQBrokerException broker
                    && broker.getResponseCode() != ResponseCode.SERVICE_NOT_AVAILABLE;
            return answered ? null : e;
        }
    }
}
