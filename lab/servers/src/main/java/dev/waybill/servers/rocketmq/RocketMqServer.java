package dev.waybill.servers.rocketmq;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.common.namesrv.NamesrvConfig;
import org.apache.rocketmq.namesrv.NamesrvController;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;

/**
 * Main class: {@code RocketMqServer <data folder> <name server port> <broker port>}. Listens on loopback only, flushes
 * every message to disk before it answers, writes the file {@code ready} and prints {@code READY} once the name server lists the broker.
 * With two more ports, of a broker and of its replication, there is a second broker that answers only what its
 * {@link RocketMqSlave} has too.
 */
public final class RocketMqServer {

    private static final String BROKER = "waybill";

    private final Path data;
    private final NamesrvController nameServer;
    private final BrokerController broker;
    private final Optional<BrokerController> master;

    private RocketMqServer(Path data, List<Integer> ports) {
        this.data = data;
        this.nameServer = nameServer(data, ports.get(0));
        this.broker = new LoopbackBroker(data, BROKER, ports.get(0)).listeningOn(ports.get(1));
        this.master = ports.size() < 4
                ? Optional.empty()
                : Optional.of(new LoopbackBroker(data.resolve(RocketMqSlave.MASTER), RocketMqSlave.MASTER, ports.get(0))
                        .asMaster(ports.get(3))
                        .listeningOn(ports.get(2)));
    }

    public static void main(String[] args) throws Exception {
        LoopbackBroker.prepareProcess();
        var ports = Stream.of(args).skip(1).map(Integer::valueOf).toList();
        var server = new RocketMqServer(Path.of(args[0]), ports);
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
        nameServer
                .getRemotingClient()
                .updateNameServerAddressList(List.of(LoopbackBroker.LOOPBACK + ":" + nameServerPort));
        nameServer.start();
        for (var each : brokers()) {
            if (!each.initialize()) {
                throw new IOException("the broker did not initialise");
            }
            each.start();
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "rocketmq-stop"));
        for (var each : brokers()) {
            awaitRegistration(each);
        }
        Files.writeString(
                data.resolve("ready"), Long.toString(ProcessHandle.current().pid()));
        System.out.println("READY");
    }

    private List<BrokerController> brokers() {
        return Stream.concat(Stream.of(broker), master.stream()).toList();
    }

    /** A broker's own first registration comes ten seconds late, so it is asked for until it shows. */
    private void awaitRegistration(BrokerController each) throws InterruptedException {
        while (!knownBrokers().containsKey(each.getBrokerConfig().getBrokerName())) {
            each.registerBrokerAll(true, false, true);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private Map<String, ?> knownBrokers() {
        var brokers = nameServer.getRouteInfoManager().getAllClusterInfo().getBrokerAddrTable();
        return brokers == null ? Map.of() : brokers;
    }

    /** What must not be lost, and no more: RocketMQ's own shutdown waits fifteen seconds for clients it has no news for. */
    private void stop() {
        for (var each : brokers()) {
            each.getConsumerOffsetManager().persist();
            each.getTopicConfigManager().persist();
            each.getSubscriptionGroupManager().persist();
            each.getMessageStore().shutdown();
        }
        Runtime.getRuntime().halt(0);
    }

    private static NamesrvController nameServer(Path data, int port) {
        var config = new NamesrvConfig();
        config.setKvConfigPath(data.resolve("kvConfig.json").toString());
        config.setConfigStorePath(data.resolve("namesrv.properties").toString());
        return new NamesrvController(config, LoopbackBroker.listenOn(port), new NettyClientConfig());
    }
}
