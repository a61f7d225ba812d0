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

/**
 * What RocketMQ's brokers tell of themselves, for metrics.
 *
 * @param lag messages that a group has not consumed, by its subscription; a group that no broker knows yet is missing
 * @param diskRatio how full the fullest master's disk is, 0 to 1
 */
public record RocketMqFigures(Map<Consumption, Long> lag, double diskRatio) {

    /** A group and the topic that it consumes. */
    public record Consumption(String group, String topic) {}

    private static final String DISK_RATIO = "commitLogDiskRatio";

    /** Asks each broker; every question ends at the latest when the time-out has passed. */
    @SuppressWarnings(
            "deprecation") // the client asks brokers for figures nowhere else, and its admin module is a large one
    static RocketMqFigures read(DefaultMQProducer producer, Set<Consumption> consumptions, Duration timeout) {
        MQClientAPIImpl client =
                producer.getDefaultMQProducerImpl().getMqClientFactory().getMQClientAPIImpl();
        long millis = timeout.toMillis();
        try {
            double fullest = 0;
            for (String address : masters(client, TopicValidator.RMQ_SYS_SELF_TEST_TOPIC, millis)) {
                Map<String, String> told =
                        client.getBrokerRuntimeInfo(address, millis).getTable();
                fullest = Math.max(fullest, Double.parseDouble(told.getOrDefault(DISK_RATIO, "NaN")));
            }
            Map<Consumption, Long> lag = new HashMap<>();
            for (Consumption consumption : consumptions) {
                for (String address : masters(client, consumption.topic(), millis)) {
                    add(lag, consumption, client, address, millis);
                }
            }
            return new RocketMqFigures(Map.copyOf(lag), fullest);
        } catch (RemotingException | MQClientException | MQBrokerException e) {
            throw new IllegalStateException("a broker of RocketMQ does not tell its figures: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while RocketMQ's brokers were asked", e);
        }
    }

    private static void add(
            Map<Consumption, Long> lag, Consumption consumption, MQClientAPIImpl client, String address, long millis)
            throws RemotingException, InterruptedException {
        try {
            long behind = client.getConsumeStats(address, consumption.group(), consumption.topic(), millis)
                    .computeTotalDiff();
            lag.merge(consumption, behind, Long::sum);
        } catch (MQBrokerException e) {
            lag.remove(consumption); // this broker does not know the group yet, and a part is not the whole
        }
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
