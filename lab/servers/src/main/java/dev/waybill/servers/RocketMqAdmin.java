package dev.waybill.servers;

import static java.util.stream.Collectors.joining;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * The few administrative calls that tests need, in RocketMQ's remoting protocol (JSON headers), because its admin client
 * drags a tree of jars and thirty threads into every test that only wants a topic.
 */
record RocketMqAdmin(String host, int port) {

    private static final int UPDATE_AND_CREATE_TOPIC = 17;
    private static final int UPDATE_BROKER_CONFIG = 25;
    private static final int GET_BROKER_CONFIG = 26;
    private static final int GET_ROUTE_BY_TOPIC = 105;
    private static final int GET_BROKER_CLUSTER_INFO = 106;
    private static final int UPDATE_AND_CREATE_GROUP = 200;
    private static final int SUCCESS = 0;
    private static final int READ_AND_WRITE = 6;
    private static final int PROTOCOL_VERSION = 477;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Pattern CODE = Pattern.compile("\"code\":(\\d+)");
    private static final Pattern MASTER = Pattern.compile("\"brokerAddrs\":\\{\"?0\"?:\"([^\"]+)\"");

    void createTopic(String name, int queues) {
        createTopic(name, queues, brokerAddress());
    }

    /** At one broker of several. */
    void createTopic(String name, int queues, String brokerAddress) {
        var header = Map.of(
                "topic",
                name,
                "defaultTopic",
                "TBW102",
                "readQueueNums",
                Integer.toString(queues),
                "writeQueueNums",
                Integer.toString(queues),
                "perm",
                Integer.toString(READ_AND_WRITE),
                "topicFilterType",
                "SINGLE_TAG",
                "topicSysFlag",
                "0",
                "order",
                "false");
        must("create topic " + name, () -> {
            askAt(brokerAddress, UPDATE_AND_CREATE_TOPIC, header, "").orFail();
            awaitRoute(name);
        });
    }

    void createGroup(String name) {
        must(
                "create group " + name,
                () -> askBroker(
                                UPDATE_AND_CREATE_GROUP,
                                Map.of(),
                                "{\"groupName\":\"" + name + "\",\"consumeEnable\":true}")
                        .orFail());
    }

    void configureBroker(Map<String, String> settings) {
        var properties = settings.entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue() + "\n")
                .collect(joining());
        must(
                "set " + settings,
                () -> askBroker(UPDATE_BROKER_CONFIG, Map.of(), properties).orFail());
    }

    Properties brokerConfiguration() {
        var properties = new Properties();
        must(
                "tell its settings",
                () -> properties.load(new StringReader(
                        askBroker(GET_BROKER_CONFIG, Map.of(), "").orFail().body())));
        return properties;
    }

    String brokerAddress() {
        try {
            return findBroker(PATIENCE);
        } catch (IOException broken) {
            throw new ServerUnavailableException(
                    "RocketMQ at " + host + ":" + port + " lists no broker: " + broken.getMessage(), broken);
        }
    }

    String findBroker(Duration patience) throws IOException {
        var answer =
                ask(host, port, GET_BROKER_CLUSTER_INFO, Map.of(), "", patience).orFail();
        var master = MASTER.matcher(answer.body());
        if (!master.find()) {
            throw new IOException("no master broker is registered");
        }
        return master.group(1);
    }

    private void awaitRoute(String topic) throws IOException {
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        while (ask(host, port, GET_ROUTE_BY_TOPIC, Map.of("topic", topic), "", PATIENCE)
                        .code()
                != SUCCESS) {
            if (System.nanoTime() > deadline) {
                throw new IOException("the name server has no route after " + PATIENCE.toSeconds() + " s");
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private Answer askBroker(int code, Map<String, String> header, String body) throws IOException {
        return askAt(findBroker(PATIENCE), code, header, body);
    }

    private static Answer askAt(String address, int code, Map<String, String> header, String body) throws IOException {
        var colon = address.lastIndexOf(':');
        return ask(
                address.substring(0, colon),
                Integer.parseInt(address.substring(colon + 1)),
                code,
                header,
                body,
                PATIENCE);
    }

    private static Answer ask(
            String host, int port, int code, Map<String, String> header, String body, Duration patience)
            throws IOException {
        var fields = header.entrySet().stream()
                .map(field -> "\"" + field.getKey() + "\":\"" + field.getValue() + "\"")
                .collect(joining(","));
        var json =
                "{\"code\":" + code + ",\"extFields\":{" + fields + "},\"flag\":0,\"language\":\"JAVA\",\"opaque\":1,"
                        + "\"serializeTypeCurrentRPC\":\"JSON\",\"version\":" + PROTOCOL_VERSION + "}";
        var head = json.getBytes(StandardCharsets.UTF_8);
        var content = body.getBytes(StandardCharsets.UTF_8);
        try (var socket = TcpExchange.connect(host, port)) {
            socket.setSoTimeout((int) patience.toMillis());
            var out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(4 + head.length + content.length);
            out.writeInt(head.length); // the top byte, zero, says JSON
            out.write(head);
            out.write(content);
            out.flush();
            var in = new DataInputStream(socket.getInputStream());
            var length = in.readInt();
            var headLength = in.readInt() & 0xFFFFFF;
            var answer = new String(in.readNBytes(headLength), StandardCharsets.UTF_8);
            return new Answer(answer, new String(in.readNBytes(length - 4 - headLength), StandardCharsets.UTF_8));
        }
    }

    private static void must(String what, Call call) {
        try {
            call.run();
        } catch (IOException broken) {
            throw new ServerUnavailableException("RocketMQ did not " + what + ": " + broken.getMessage(), broken);
        }
    }

    private interface Call {
        void run() throws IOException;
    }

    private record Answer(String header, String body) {

        int code() throws IOException {
            var code = CODE.matcher(header);
            if (!code.find()) {
                throw new IOException("an answer without a code: " + header);
            }
            return Integer.parseInt(code.group(1));
        }

        Answer orFail() throws IOException {
            if (code() != SUCCESS) {
                throw new IOException(header);
            }
            return this;
        }
    }
}
