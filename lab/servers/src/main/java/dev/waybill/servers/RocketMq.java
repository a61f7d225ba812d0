package dev.waybill.servers;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** RocketMQ: a name server and one broker that flushes every message to disk before it answers. */
public final class RocketMq extends ServerHandle {

    private static final int QUEUES = 4;

    private final Map<String, String> original = new ConcurrentHashMap<>();

    RocketMq(Checkout checkout, Address address) {
        super(checkout, Server.ROCKETMQ, address);
    }

    /** {@code host:port}, as clients take it. */
    public String nameServer() {
        return host() + ":" + port();
    }

    /** {@code host:port} of the broker, as the name server tells it. */
    public String brokerAddress() {
        return admin().brokerAddress();
    }

    /** Returns once the name server hands out the topic's route, so that a consumer need not wait for its next poll. */
    public void createTopic(String name) {
        createTopic(name, QUEUES);
    }

    public void createTopic(String name, int queues) {
        admin().createTopic(name, queues);
    }

    public void createGroup(String name) {
        admin().createGroup(name);
    }

    /**
     * Changes settings of the running broker; they last until it restarts, and the end of the test class takes them back.
     * With {@code syncFlushTimeout} at 0 a send is answered with FLUSH_DISK_TIMEOUT instead of SEND_OK.
     */
    public void configureBroker(Map<String, String> settings) {
        refuseIfGiven("configure");
        var current = admin().brokerConfiguration();
        settings.keySet().forEach(key -> original.putIfAbsent(key, current.getProperty(key, "")));
        admin().configureBroker(settings);
    }

    @Override
    public String user() {
        throw new UnsupportedOperationException("RocketMQ runs without accounts");
    }

    @Override
    public String password() {
        throw new UnsupportedOperationException("RocketMQ runs without accounts");
    }

    /** The name server lists a broker, and that broker accepts connections. */
    @Override
    public boolean answers() {
        try {
            var broker = List.of(admin().findBroker(TcpExchange.PATIENCE).split(":"));
            TcpExchange.connect(broker.get(0), Integer.parseInt(broker.get(1))).close();
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    @Override
    void removeLeftovers() {
        if (!original.isEmpty()) {
            admin().configureBroker(Map.copyOf(original));
            original.clear();
        }
    }

    private RocketMqAdmin admin() {
        return new RocketMqAdmin(host(), port());
    }
}
