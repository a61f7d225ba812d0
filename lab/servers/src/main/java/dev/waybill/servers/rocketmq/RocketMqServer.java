package dev.waybill.servers.rocketmq;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.common.MQVersion;
import org.apache.rocketmq.common.namesrv.NamesrvConfig;
import org.apache.rocketmq.namesrv.NamesrvController;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.netty.NettyServerConfig;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.store.config.FlushDiskType;
import org.apache.rocketmq.store.config.MessageStoreConfig;

/**
 * Main class: {@code RocketMqServer <data folder> <name server port> <broker port>}. Listens on loopback only, flushes
 * every message to disk before it answers, and writes the file {@code ready} once the name server lists the broker.
 */
public final class RocketMqServer {

    private static final String LOOPBACK = "127.0.0.1";
    private static final String BROKER = "waybill";

    private final Path data;
    private final NamesrvController nameServer;
    private final BrokerController broker;

    private RocketMqServer(Path data, int nameServerPort, int brokerPort) {
        this.data = data;
        this.nameServer = nameServer(data, nameServerPort);
        this.broker = broker(data, nameServerPort, brokerPort);
    }

    public static void main(String[] args) throws Exception {
        // Without it the name server takes the broker for an ancient one and keeps none of its topics.
        System.setProperty(RemotingCommand.REMOTING_VERSION_KEY, Integer.toString(MQVersion.CURRENT_VERSION));
        // On JDK 25 Netty's new cleaner cannot unmap files, and a store that has to drop one after a kill would not
        // load.
        System.setProperty("io.netty.noUnsafe", "false");
        var server = new RocketMqServer(Path.of(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        try {
            server.start(args[1]);
        } catch (Exception failed) {
            failed.printStackTrace();
            Runtime.getRuntime().halt(1); // the half that did start would keep the process alive
        }
    }

    private void start(String nameServerPort) throws Exception {
        if (!nameServer.initialize()) {
            throw new IOException("the name server did not initialise");
        }
        // On loopback the name server's own client finds itself nowhere unless told.
        nameServer.getRemotingClient().updateNameServerAddressList(List.of(LOOPBACK + ":" + nameServerPort));
        nameServer.start();
        if (!broker.initialize()) {
            throw new IOException("the broker did not initialise");
        }
        broker.start();
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "rocketmq-stop"));
        awaitRegistration();
        Files.writeString(
                data.resolve("ready"), Long.toString(ProcessHandle.current().pid()));
    }

    /** The broker's own first registration comes ten seconds late, so it is asked for until it shows. */
    private void awaitRegistration() throws InterruptedException {
        while (!knownBrokers().containsKey(BROKER)) {
            broker.registerBrokerAll(true, false, true);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private Map<String, ?> knownBrokers() {
        var brokers = nameServer.getRouteInfoManager().getAllClusterInfo().getBrokerAddrTable();
        return brokers == null ? Map.of() : brokers;
    }

    /** What must not be lost, and no more: RocketMQ's own shutdown waits fifteen seconds for clients it has no news for. */
    private void stop() {
        broker.getConsumerOffsetManager().persist();
        broker.getTopicConfigManager().persist();
        broker.getSubscriptionGroupManager().persist();
        broker.getMessageStore().shutdown();
        Runtime.getRuntime().halt(0);
    }

    private static NamesrvController nameServer(Path data, int port) {
        var config = new NamesrvConfig();
        config.setKvConfigPath(data.resolve("kvConfig.json").toString());
        config.setConfigStorePath(data.resolve("namesrv.properties").toString());
        return new NamesrvController(config, listenOn(port), new NettyClientConfig());
    }

    private static BrokerController broker(Path data, int nameServerPort, int port) {
        var config = new BrokerConfig();
        config.setBrokerName(BROKER);
        config.setBrokerClusterName(BROKER);
        config.setBrokerIP1(LOOPBACK);
        config.setBrokerIP2(LOOPBACK);
        config.setNamesrvAddr(LOOPBACK + ":" + nameServerPort);
        config.setBrokerConfigPath(data.resolve("broker.properties").toString());
        // A laptop's disk pauses now and then; the default refuses what waited for 0.2 s, which no test could foresee.
        config.setWaitTimeMillsInSendQueue(5_000);
        return new BrokerController(config, listenOn(port), new NettyClientConfig(), smallStore(data));
    }

    private static NettyServerConfig listenOn(int port) {
        var config = new NettyServerConfig();
        config.setBindAddress(LOOPBACK);
        config.setListenPort(port);
        return config;
    }

    /** File sizes for a laptop: the defaults reserve gigabytes before the first message. */
    private static MessageStoreConfig smallStore(Path data) {
        var store = new MessageStoreConfig();
        store.setStorePathRootDir(data.resolve("store").toString());
        store.setStorePathCommitLog(data.resolve("store/commitlog").toString());
        store.setFlushDiskType(FlushDiskType.SYNC_FLUSH);
        store.setMappedFileSizeCommitLog(64 * 1024 * 1024);
        store.setMappedFileSizeConsumeQueue(600_000);
        store.setMaxHashSlotNum(10_000);
        store.setMaxIndexNum(40_000);
        store.setMappedFileSizeTimerLog(4 * 1024 * 1024);
        store.setDiskMaxUsedSpaceRatio(95);
        store.setOsPageCacheBusyTimeOutMills(5_000);
        return store;
    }
}
