package dev.waybill.servers.rocketmq;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.common.MQVersion;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.netty.NettyServerConfig;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.store.config.BrokerRole;
import org.apache.rocketmq.store.config.FlushDiskType;
import org.apache.rocketmq.store.config.MessageStoreConfig;

/** Makes brokers that listen on loopback only, keep small files, and flush every message to disk before they answer. */
final class LoopbackBroker {

    static final String LOOPBACK = "127.0.0.1";

    /** Master and slave. */
    private static final int REPLICAS = 2;

    private final Path data;
    private final BrokerConfig config = new QuietBrokerConfig();
    private final MessageStoreConfig store;

    LoopbackBroker(Path data, String name, int nameServerPort) {
        this.data = data;
        this.store = smallStore();
        config.setBrokerName(name);
        config.setBrokerClusterName(name);
        config.setBrokerIP1(LOOPBACK);
        config.setBrokerIP2(LOOPBACK);
        config.setNamesrvAddr(LOOPBACK + ":" + nameServerPort);
        config.setBrokerConfigPath(data.resolve("broker.properties").toString());
        // A laptop's disk pauses now and then; the default refuses what waited for 0.2 s, which no test could foresee.
        config.setWaitTimeMillsInSendQueue(5_000);
        // Each flush is four writes that the disk has to confirm, and messages wait for it. Nobody here has
        // transactions.
        config.setTransactionMetricFlushInterval(600_000);
    }

    /** What every process with a broker or a name server in it needs before it makes one. */
    static void prepareProcess() {
        // Without it the name server takes the broker for an ancient one and keeps none of its topics.
        System.setProperty(RemotingCommand.REMOTING_VERSION_KEY, Integer.toString(MQVersion.CURRENT_VERSION));
        // On JDK 25 Netty's new cleaner cannot unmap files, and a store that has to drop one after a kill would not
        // load.
        System.setProperty("io.netty.noUnsafe", "false");
    }

    /** Answers SEND_OK only for what its slave has too. By default even a SYNC_MASTER of RocketMQ 5 is content with itself. */
    LoopbackBroker asMaster(int replicationPort) {
        store.setBrokerRole(BrokerRole.SYNC_MASTER);
        store.setInSyncReplicas(REPLICAS);
        store.setHaListenPort(replicationPort);
        return this;
    }

    LoopbackBroker asSlave(int replicationPort) {
        config.setBrokerId(1);
        store.setBrokerRole(BrokerRole.SLAVE);
        store.setHaListenPort(replicationPort);
        return this;
    }

    BrokerController listeningOn(int port) {
        return new BrokerController(config, listenOn(port), new NettyClientConfig(), store);
    }

    static NettyServerConfig listenOn(int port) {
        var config = new NettyServerConfig();
        config.setBindAddress(LOOPBACK);
        config.setListenPort(port);
        return config;
    }

    /** File sizes for a laptop: the defaults reserve gigabytes before the first message. */
    private MessageStoreConfig smallStore() {
        var small = new MessageStoreConfig();
        small.setStorePathRootDir(data.resolve("store").toString());
        small.setStorePathCommitLog(data.resolve("store/commitlog").toString());
        small.setFlushDiskType(FlushDiskType.SYNC_FLUSH);
        small.setMappedFileSizeCommitLog(64 * 1024 * 1024);
        small.setMappedFileSizeConsumeQueue(600_000);
        small.setMaxHashSlotNum(10_000);
        small.setMaxIndexNum(40_000);
        small.setMappedFileSizeTimerLog(4 * 1024 * 1024);
        // Each flush compares a wheel of 39 MB byte by byte, 0.14 s of a core, by default once a second and for each of
        // the
        // brokers beside a measurement. Nobody here sends a message to a time; delay levels need no wheel.
        small.setTimerFlushIntervalMs(600_000);
        small.setDiskMaxUsedSpaceRatio(95);
        small.setOsPageCacheBusyTimeOutMills(5_000);
        return small;
    }

    /**
     * The thread that flushes figures of transactions compares before it waits, and so keeps a core busy until its interval has
     * passed once (RocketMQ 5.5). Its first look finds the interval over.
     */
    private static final class QuietBrokerConfig extends BrokerConfig {

        private final AtomicBoolean asked = new AtomicBoolean();

        @Override
        public long getTransactionMetricFlushInterval() {
            return asked.getAndSet(true) ? super.getTransactionMetricFlushInterval() : -1;
        }
    }
}
