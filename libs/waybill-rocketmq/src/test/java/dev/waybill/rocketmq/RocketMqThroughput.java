package dev.waybill.rocketmq;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.servers.PrivateServers;
import dev.waybill.transport.SendResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendStatus;

/**
 * Main class: {@code RocketMqThroughput [messages] [rounds]}. Compares the client's fastest confirmed mode (batches on four
 * threads) with the rate through the transport, on the private broker, which flushes synchronously; round by round in
 * turn. The client's rate with bare messages and with the transport's properties. From the repository's root:
 *
 * <pre>
 * mvn -q -pl libs/waybill-rocketmq -am test-compile dependency:build-classpath -Dmdep.outputFile=target/class-path &amp;&amp; (cd libs/waybill-rocketmq &amp;&amp; java -cp target/classes:target/test-classes:$(cat target/class-path) dev.waybill.rocketmq.RocketMqThroughput)
 * </pre>
 */
public final class RocketMqThroughput {

    private static final List<String> KINDS = List.of("bare", "with properties", "transport");
    private static final int THREADS = 4;
    private static final int BATCH = 256;

    private final String nameServer;
    private final Destination to;
    private final int messages;
    private final byte[] body = new byte[1024];
    private final List<Message> all = new ArrayList<>();

    private RocketMqThroughput(String nameServer, String topic, int messages) {
        this.nameServer = nameServer;
        this.to = Destination.of(topic, "T");
        this.messages = messages;
        for (int i = 0; i < messages; i++) {
            Event event = Event.builder("Throughput")
                    .bizKey("ORD" + i)
                    .traceId("trace-" + i)
                    .build();
            all.add(new Message(to, event, body));
        }
    }

    public static void main(String[] args) throws Exception {
        int messages = args.length > 0 ? Integer.parseInt(args[0]) : 50_000;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 4;
        try (PrivateServers servers = PrivateServers.open()) {
            String topic = "THROUGHPUT-" + UUID.randomUUID();
            servers.rocketMq().createTopic(topic);
            new RocketMqThroughput(servers.rocketMq().nameServer(), topic, messages).compare(rounds);
        }
    }

    private void compare(int rounds) throws Exception {
        double[] sums = new double[3];
        for (int round = 0; round <= rounds; round++) {
            for (int kind = 0; kind < sums.length; kind++) {
                double rate = kind == 2 ? throughTransport() : raw(kind == 1);
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
    }

    private double raw(boolean properties) throws Exception {
        DefaultMQProducer producer = new DefaultMQProducer("throughput");
        producer.setNamesrvAddr(nameServer);
        producer.setInstanceName(UUID.randomUUID().toString());
        producer.setSendMsgTimeout(10_000);
        producer.start();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            long began = System.nanoTime();
            List<Future<?>> parts = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                parts.add(threads.submit(() -> sendPart(producer, messages / THREADS, properties)));
            }
            for (Future<?> part : parts) {
                part.get();
            }
            return rate(began);
        } finally {
            threads.shutdown();
            producer.shutdown();
        }
    }

    private Void sendPart(DefaultMQProducer producer, int count, boolean properties) throws Exception {
        for (int sent = 0; sent < count; sent += BATCH) {
            List<org.apache.rocketmq.common.message.Message> batch = new ArrayList<>(BATCH);
            for (int i = sent; i < Math.min(count, sent + BATCH); i++) {
                Message message = all.get(i);
                batch.add(
                        properties
                                ? RocketMqMessageMapper.of(message).fill(message)
                                : new org.apache.rocketmq.common.message.Message(to.topic(), body));
            }
            if (producer.send(batch).getSendStatus() != SendStatus.SEND_OK) {
                throw new IllegalStateException("a batch was not SEND_OK");
            }
        }
        return null;
    }

    private double throughTransport() throws Exception {
        try (RocketMqTransport transport = RocketMqTransport.builder(nameServer).build()) {
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
