package dev.waybill.rocketmq;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
import org.jspecify.annotations.Nullable;

/**
 * What RocketMQ's brokers tell of themselves, for metrics.
 *
 * @param lag messages that a group has not consumed, by its subscription; a group that no broker knows yet is missing
 * @param retrying messages that are due again for a group, by its name, and not consumed yet
 * @param brokers of all masters together
 */
public record RocketMqFigures(Map<Consumption, Long> lag, Map<String, Long> retrying, Brokers brokers) {

    /** A group and the topic that it consumes. */
    public record Consumption(String group, String topic) {}

    /**
     * What is not of one group. A figure that a broker does not tell is {@code NaN}.
     *
     * @param diskRatio how full the fullest disk is, 0 to 1
     * @param flushBehind bytes that are not on disk yet, on the broker with most of them
     * @param replicaBehind bytes that the slowest connected replica has not taken yet; 0 where none is connected
     * @param delayed messages of all topics that wait for their delay to end
     */
    public record Brokers(double diskRatio, double flushBehind, double replicaBehind, double delayed) {

        static final Brokers NONE = new Brokers(0, 0, 0, 0);

        Brokers and(Brokers other) {
            return new Brokers(
                    Math.max(diskRatio, other.diskRatio),
                    Math.max(flushBehind, other.flushBehind),
                    Math.max(replicaBehind, other.replicaBehind),
                    delayed + other.delayed);
        }
    }

    /** Asks each broker; every question ends at the latest when the time-out has passed. */
    @SuppressWarnings(
            "deprecation") // the client asks brokers for figures nowhere else, and its admin module is a large one
    static RocketMqFigures read(DefaultMQProducer producer, Set<Consumption> consumptions, Duration timeout) {
        MQClientAPIImpl client =
                producer.getDefaultMQProducerImpl().getMqClientFactory().getMQClientAPIImpl();
        long millis = timeout.toMillis();
        try {
            Brokers brokers = Brokers.NONE;
            for (String address : masters(client, TopicValidator.RMQ_SYS_SELF_TEST_TOPIC, millis)) {
                brokers = brokers.and(RuntimeInfo.of(client, address, millis));
            }
            Map<Consumption, Long> lag = new HashMap<>();
            Map<String, Long> retrying = new HashMap<>();
            for (Consumption consumption : consumptions) {
                String group = consumption.group();
                Set<String> addresses = masters(client, consumption.topic(), millis);
                put(lag, consumption, behind(client, addresses, group, consumption.topic(), millis));
                if (!retrying.containsKey(group)) { // a group may consume several topics
                    put(retrying, group, behind(client, addresses, group, MixAll.getRetryTopic(group), millis));
                }
            }
            return new RocketMqFigures(Map.copyOf(lag), Map.copyOf(retrying), brokers);
        } catch (RemotingException | MQClientException | MQBrokerException e) {
            throw new IllegalStateException("a broker of RocketMQ does not tell its figures: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while RocketMQ's brokers were asked", e);
        }
    }

    private static <K> void put(Map<K, Long> figures, K key, @Nullable Long figure) {
        if (figure != null) {
            figures.put(key, figure);
        }
    }

    /** Null while a broker does not know the group yet: a part is not the whole. */
    private static @Nullable Long behind(
            MQClientAPIImpl client, Set<String> addresses, String group, String topic, long millis)
            throws RemotingException, InterruptedException {
        long behind = 0;
        for (String address : addresses) {
            try {
                behind += client.getConsumeStats(address, group, topic, millis).computeTotalDiff();
            } catch (MQBrokerException e) {
                return null;
            }
        }
        return behind;
    }

    private static Set<String> masters(MQClientAPIImpl client, String topic, long millis)
            throws RemotingException, MQClientException, InterruptedException {
        Set<String> addresses = new TreeSet<>();
        for (BrokerData broker :
                client.getTopicRouteInfoFromNameServer(topic, millis).getBrokerDatas()) {
            String master = broker.getBrokerAddrs().get(MixAll.MASTER_ID);
            if (master != null) {
                addresses.add(master);
            }
        }
        return addresses;
    }
}
