package dev.waybill.rocketmq;

import java.util.Collection;
import java.util.Set;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.producer.TopicPublishInfo;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.jspecify.annotations.Nullable;

/**
 * A producer that repeats a refused send only at another broker, where the topic has one. The client's own repeat goes to the
 * same broker if there is no other: a second copy of what was stored but not replicated, and twice the load on a broker that is
 * busy.
 *
 * <p>A send without a time-out is never repeated: at the first try the client takes the number of deliveries off a message to
 * a retry topic, and the second one would begin to count anew.
 */
final class FailoverProducer extends DefaultMQProducer {

    private final ThreadLocal<@Nullable String> topicBeingSent = new ThreadLocal<>();

    FailoverProducer(String group, @Nullable RPCHook rpcHook) {
        super(group, rpcHook);
    }

    @Override
    public SendResult send(Message message, long timeout)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        topicBeingSent.set(message.getTopic());
        try {
            return super.send(message, timeout);
        } finally {
            topicBeingSent.remove();
        }
    }

    @Override
    public SendResult send(Collection<Message> messages, long timeout)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        topicBeingSent.set(messages.iterator().next().getTopic());
        try {
            return super.send(messages, timeout);
        } finally {
            topicBeingSent.remove();
        }
    }

    /** A connection that broke is made anew once. The client asks for this at the begin of each send, on the sender's thread. */
    @Override
    public int getRetryTimesWhenSendFailed() {
        return topicBeingSent.get() == null ? 0 : super.getRetryTimesWhenSendFailed();
    }

    /** Asked after an answer such as FLUSH_DISK_TIMEOUT. */
    @Override
    public boolean isRetryAnotherBrokerWhenNotStoreOK() {
        String topic = topicBeingSent.get();
        return super.isRetryAnotherBrokerWhenNotStoreOK() && (topic == null || hasSeveralBrokers(topic));
    }

    /** Asked after a refusal such as SYSTEM_BUSY. */
    @Override
    public Set<Integer> getRetryResponseCodes() {
        String topic = topicBeingSent.get();
        return topic == null || hasSeveralBrokers(topic) ? super.getRetryResponseCodes() : Set.of();
    }

    @SuppressWarnings("deprecation") // the client knows the route, and tells it in no other way
    private boolean hasSeveralBrokers(String topic) {
        TopicPublishInfo route =
                getDefaultMQProducerImpl().getTopicPublishInfoTable().get(withNamespace(topic));
        return route != null
                && route.getMessageQueueList().stream()
                                .map(queue -> queue.getBrokerName())
                                .distinct()
                                .count()
                        > 1;
    }
}
