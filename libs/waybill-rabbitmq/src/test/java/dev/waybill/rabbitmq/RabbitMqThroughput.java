package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.servers.PrivateServers;
import dev.waybill.transport.SendResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Main class: {@code RabbitMqThroughput [messages] [rounds]}. Compares the client's confirmed rate on one channel with the
 * rate through the transport, on the same durable classic queue of the private broker, round by round in turn. The
 * client's rate with bare messages and with the transport's properties, which the broker has to parse and store too. From
 * the repository's root:
 *
 * <pre>
 * mvn -q -pl libs/waybill-rabbitmq -am test-compile dependency:build-classpath -Dmdep.outputFile=target/class-path &amp;&amp; (cd libs/waybill-rabbitmq &amp;&amp; java -cp target/classes:target/test-classes:$(cat target/class-path) dev.waybill.rabbitmq.RabbitMqThroughput)
 * </pre>
 */
public final class RabbitMqThroughput {

    private static final int WINDOW = 1_000;
    private static final List<String> KINDS = List.of("bare", "with properties", "transport");
    private static final String EXCHANGE = "throughput";

    private final ConnectionFactory factory = new ConnectionFactory();
    private final int messages;
    private final byte[] body = new byte[1024];
    private final List<Message> all = new ArrayList<>();

    private RabbitMqThroughput(String uri, int messages) throws Exception {
        factory.setUri(uri);
        this.messages = messages;
        for (int i = 0; i < messages; i++) {
            Event event = Event.builder("Throughput")
                    .bizKey("ORD" + i)
                    .traceId("trace-" + i)
                    .build();
            all.add(new Message(Destination.of(EXCHANGE, "k"), event, body));
        }
    }

    public static void main(String[] args) throws Exception {
        int messages = args.length > 0 ? Integer.parseInt(args[0]) : 50_000;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 4;
        try (PrivateServers servers = PrivateServers.open()) {
            String uri = servers.rabbitMq().freshVhost().amqpUri();
            new RabbitMqThroughput(uri, messages).compare(rounds);
        }
    }

    private void compare(int rounds) throws Exception {
        try (Connection connection = factory.newConnection();
                Channel admin = connection.createChannel()) {
            admin.exchangeDeclare(EXCHANGE, "direct", true);
            admin.queueDeclare(EXCHANGE, true, false, false, null);
            admin.queueBind(EXCHANGE, EXCHANGE, "k");
            double[] sums = new double[3];
            for (int round = 0; round <= rounds; round++) {
                for (int kind = 0; kind < sums.length; kind++) {
                    admin.queuePurge(EXCHANGE);
                    double rate = kind == 2 ? throughTransport() : raw(connection, kind == 1);
                    System.out.printf(Locale.ROOT, "round %d %s: %.0f/s%n", round, KINDS.get(kind), rate);
                    sums[kind] += round == 0 ? 0 : rate / rounds; // the first round warms up
                }
            }
            System.out.printf(
                    Locale.ROOT,
                    "bare %.0f/s, with properties %.0f/s, transport %.0f/s; ratio %.2f and %.2f%n",
                    sums[0],
                    sums[1],
                    sums[2],
                    sums[2] / sums[0],
                    sums[2] / sums[1]);
            admin.queueDelete(EXCHANGE);
            admin.exchangeDelete(EXCHANGE);
        }
    }

    private double raw(Connection connection, boolean properties) throws Exception {
        try (Channel channel = connection.createChannel()) {
            channel.confirmSelect();
            Semaphore window = new Semaphore(WINDOW);
            long[] confirmed = {0};
            channel.addConfirmListener(
                    (number, multiple) -> {
                        int more = multiple ? (int) (number - confirmed[0]) : 1;
                        confirmed[0] += more;
                        window.release(more);
                    },
                    (number, multiple) -> {
                        throw new IllegalStateException("nack");
                    });
            long began = System.nanoTime();
            for (int i = 0; i < messages; i++) {
                window.acquire();
                BasicProperties basic = properties
                        ? RabbitMqMessageMapper.of(all.get(i).event(), i)
                        : MessageProperties.PERSISTENT_BASIC;
                channel.basicPublish(EXCHANGE, "k", true, basic, body);
            }
            window.acquire(WINDOW);
            return rate(began);
        }
    }

    private double throughTransport() throws Exception {
        try (RabbitMqTransport transport =
                RabbitMqTransport.builder(factory).window(WINDOW).build()) {
            transport.start();
            CountDownLatch outcomes = new CountDownLatch(messages);
            LongAdder failures = new LongAdder();
            long began = System.nanoTime();
            for (int i = 0; i < messages; i += transport.batchLimit()) {
                transport.send(all.subList(i, Math.min(messages, i + transport.batchLimit())), (index, outcome) -> {
                    if (!(outcome instanceof SendResult.Confirmed)) {
                        failures.increment();
                    }
                    outcomes.countDown();
                });
            }
            if (!outcomes.await(60, TimeUnit.SECONDS) || failures.sum() > 0) {
                throw new IllegalStateException(
                        failures.sum() + " failed, " + outcomes.getCount() + " without outcome");
            }
            return rate(began);
        }
    }

    private double rate(long began) {
        return messages * 1e9 / (System.nanoTime() - began);
    }
}
