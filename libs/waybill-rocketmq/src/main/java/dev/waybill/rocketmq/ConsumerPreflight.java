package dev.waybill.rocketmq;

import dev.waybill.message.LogText;
import java.util.List;
import java.util.Objects;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.constant.PermName;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
import org.apache.rocketmq.remoting.protocol.route.QueueData;
import org.apache.rocketmq.remoting.protocol.route.TopicRouteData;
import org.apache.rocketmq.remoting.protocol.subscription.SubscriptionGroupConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What must be there before a consumer starts, since a client finds out about topics only at intervals, and about their
 * queues even later: the topic, the group, and the group's retry topic.
 */
final class ConsumerPreflight {

    private static final Logger log = LoggerFactory.getLogger(ConsumerPreflight.class);
    private static final long TIMEOUT_MILLIS = 3_000;

    private final Republisher republisher;

    ConsumerPreflight(Republisher republisher) {
        this.republisher = republisher;
    }

    /** Null when a consumer may start; else what is missing. */
    @Nullable String missing(String topic, String group) throws InterruptedException {
        try {
            MQClientAPIImpl api = api();
            TopicRouteData route = route(api, topic);
            if (route == null) {
                return "topic " + topic + " does not exist";
            }
            boolean readable = true;
            for (QueueData queues : route.getQueueDatas()) {
                readable &= PermName.isReadable(queues.getPerm());
            }
            boolean retryTopicThere = route(api, MixAll.getRetryTopic(group)) != null;
            for (BrokerData broker : route.getBrokerDatas()) {
                String address = broker.getBrokerAddrs().get(MixAll.MASTER_ID);
                if (address != null) {
                    prepare(api, address, group, retryTopicThere);
                    if (!readable) {
                        openForReading(api, address, topic);
                    }
                }
            }
            return readable && (retryTopicThere || route(api, MixAll.getRetryTopic(group)) != null)
                    ? null
                    : "the route of " + topic + " or of its retry topic is not known yet";
        } catch (MQClientException | RemotingException | RuntimeException e) {
            return e.toString();
        }
    }

    /** For a consumer that has started: null while a broker of the topic answers; else why none does. */
    @Nullable String silence(String topic, String group) throws InterruptedException {
        try {
            MQClientAPIImpl api = api();
            TopicRouteData route = route(api, topic);
            String silence = route == null ? "topic " + topic + " does not exist" : "no broker serves topic " + topic;
            for (BrokerData broker : route == null ? List.<BrokerData>of() : route.getBrokerDatas()) {
                silence = silence(api, broker.selectBrokerAddr(), group);
                if (silence == null) {
                    return null;
                }
            }
            return silence;
        } catch (MQClientException | RemotingException | RuntimeException e) {
            return e.toString();
        }
    }

    private static @Nullable String silence(MQClientAPIImpl api, @Nullable String address, String group)
            throws InterruptedException {
        if (address == null) {
            return "a broker without an address";
        }
        try {
            hasGroup(api, address, group);
            return null;
        } catch (MQBrokerException e) {
            return null; // it may refuse to tell about groups, but it is there
        } catch (RemotingException e) {
            return e.toString();
        }
    }

    @SuppressWarnings("deprecation") // the admin client would say the same, with a tree of jars
    private MQClientAPIImpl api() {
        return Objects.requireNonNull(republisher
                .producer()
                .getDefaultMQProducerImpl()
                .getMqClientFactory()
                .getMQClientAPIImpl());
    }

    private static @Nullable TopicRouteData route(MQClientAPIImpl api, String topic)
            throws MQClientException, RemotingException, InterruptedException {
        try {
            return api.getTopicRouteInfoFromNameServer(topic, TIMEOUT_MILLIS, false);
        } catch (MQClientException e) {
            if (e.getResponseCode() == ResponseCode.TOPIC_NOT_EXIST) {
                return null;
            }
            throw e;
        }
    }

    /** A broker that lets nobody create things is expected to have them. */
    private static void prepare(MQClientAPIImpl api, String address, String group, boolean retryTopicThere)
            throws InterruptedException {
        try {
            if (!hasGroup(api, address, group)) {
                SubscriptionGroupConfig config = new SubscriptionGroupConfig();
                config.setGroupName(group);
                api.createSubscriptionGroup(address, config, TIMEOUT_MILLIS);
                log.info("[RocketMqSubscriptions] Group created group={} broker={}", group, address);
            }
            if (!retryTopicThere) {
                createTopic(api, address, new TopicConfig(MixAll.getRetryTopic(group), 1, 1, readAndWrite()));
            }
        } catch (MQClientException | MQBrokerException | RemotingException e) {
            log.warn(
                    "[RocketMqSubscriptions] Group not prepared group={} cause={}",
                    group,
                    LogText.sentence(e.toString()));
        }
    }

    private static boolean hasGroup(MQClientAPIImpl api, String address, String group)
            throws RemotingException, InterruptedException, MQBrokerException {
        try {
            api.getSubscriptionGroupConfig(address, group, TIMEOUT_MILLIS);
            return true;
        } catch (MQBrokerException e) {
            if (e.getResponseCode() == ResponseCode.SUBSCRIPTION_GROUP_NOT_EXIST) {
                return false;
            }
            throw e;
        }
    }

    /** Brokers before 5.0 make dead-letter topics that can only be written. */
    private static void openForReading(MQClientAPIImpl api, String address, String topic) throws InterruptedException {
        try {
            TopicConfig config = api.getTopicConfig(address, topic, TIMEOUT_MILLIS);
            config.setPerm(readAndWrite());
            createTopic(api, address, config);
            log.info("[RocketMqSubscriptions] Topic opened for reading topic={} broker={}", topic, address);
        } catch (MQClientException | MQBrokerException | RemotingException e) {
            log.warn(
                    "[RocketMqSubscriptions] Topic cannot be read topic={} cause={}",
                    topic,
                    LogText.sentence(e.toString()));
        }
    }

    private static void createTopic(MQClientAPIImpl api, String address, TopicConfig config)
            throws MQClientException, MQBrokerException, RemotingException, InterruptedException {
        api.createTopic(address, TopicValidator.AUTO_CREATE_TOPIC_KEY_TOPIC, config, TIMEOUT_MILLIS);
    }

    private static int readAndWrite() {
        return PermName.PERM_READ | PermName.PERM_WRITE;
    }
}
