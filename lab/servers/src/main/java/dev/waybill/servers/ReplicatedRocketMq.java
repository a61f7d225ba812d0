package dev.waybill.servers;

import dev.waybill.servers.rocketmq.RocketMqServer;
import dev.waybill.servers.rocketmq.RocketMqSlave;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A RocketMQ for one test: a name server with two brokers in one process, and the second broker's slave in another. What is
 * sent to a replicated topic is confirmed only when the slave has it too. Closing ends both and removes what they stored.
 */
public final class ReplicatedRocketMq implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(2);
    private static final int QUEUES = 4;

    private final Path data;
    private final String classPath;
    private final Ports ports = new Ports();
    private final ChildJvm server;
    private ChildJvm slave;

    private ReplicatedRocketMq(Path data, String classPath) {
        this.data = data;
        this.classPath = classPath;
        this.server = start(
                RocketMqServer.class, "server", ports.nameServer, ports.broker, ports.master, ports.mastersReplication);
        try {
            this.slave = slave();
        } catch (RuntimeException | Error failed) {
            server.close();
            throw failed;
        }
    }

    /** Returns when the slave copies what the master stores. */
    public static ReplicatedRocketMq start() {
        try {
            Path data = Files.createTempDirectory("waybill-rocketmq");
            Files.createDirectory(data.resolve("server"));
            Files.createDirectory(data.resolve("slave"));
            return new ReplicatedRocketMq(data, Checkout.find().rocketMqClassPath());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** {@code host:port}, as clients take it. */
    public String nameServer() {
        return "127.0.0.1:" + ports.nameServer;
    }

    /** At the broker that has no slave. */
    public void createTopic(String name) {
        admin().createTopic(name, QUEUES, "127.0.0.1:" + ports.broker);
    }

    /** At the broker that needs its slave. */
    public void createReplicatedTopic(String name) {
        admin().createTopic(name, QUEUES, "127.0.0.1:" + ports.master);
    }

    public void killSlave() {
        slave.kill9();
    }

    /** Returns when the slave copies again. */
    public void startSlave() {
        slave = slave();
    }

    private ChildJvm slave() {
        return start(
                RocketMqSlave.class,
                "slave",
                ports.nameServer,
                ports.slave,
                ports.slavesReplication,
                ports.mastersReplication);
    }

    private ChildJvm start(Class<?> main, String folder, int... usedPorts) {
        Path home = data.resolve(folder);
        String[] arguments = Stream.concat(
                        Stream.of(home.toString()), Arrays.stream(usedPorts).mapToObj(Integer::toString))
                .toArray(String[]::new);
        ChildJvm child = ChildJvm.of(main)
                .classPath(ownClasses() + File.pathSeparator + classPath)
                .jvmOptions("-Xmx384m", "-XX:MaxDirectMemorySize=256m", "-Duser.home=" + home)
                .arguments(arguments)
                .start();
        try {
            child.waitForLine("READY", START);
            return child;
        } catch (AssertionError notReady) {
            child.close();
            throw notReady;
        }
    }

    private RocketMqAdmin admin() {
        return new RocketMqAdmin("127.0.0.1", ports.nameServer);
    }

    private static Path ownClasses() {
        try {
            return Path.of(ReplicatedRocketMq.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void close() {
        slave.close();
        server.close();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Free ones at the time of asking. */
    private static final class Ports {

        final int nameServer = free();
        final int broker = free();
        final int master = free();
        final int slave = free();
        final int mastersReplication = free();
        final int slavesReplication = free();

        /** A broker listens two ports below its own as well. */
        private static int free() {
            return IntStream.generate(Ports::bindAny)
                    .limit(100)
                    .filter(port -> isFree(port - 2))
                    .findFirst()
                    .orElseThrow(() -> new ServerUnavailableException("no two free ports that are two apart"));
        }

        private static int bindAny() {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }

        private static boolean isFree(int port) {
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.isBound();
            } catch (IOException taken) {
                return false;
            }
        }
    }
}
