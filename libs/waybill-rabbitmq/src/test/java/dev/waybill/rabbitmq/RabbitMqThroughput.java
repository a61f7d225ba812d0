package dev.waybill.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.transport.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Main class: {@code RabbitMqThroughput <amqp uri> [messages] [rounds]}. Compares the client's confirmed rate on one
 * channel with the rate through the transport, on the same durable classic queue, round by round in turn.
 */
public final class RabbitMqThroughput {

    private static final int WINDOW = 1_000;
    private static final String EXCHANGE = "throughput";

    private final ConnectionFactory factory = new ConnectionFactory();
    private final int messages;
    private final byte[] body = new byte[1024];

    private RabbitMqThroughput(String uri, int messages) throws Exception {
        factory.setUri(uri);
        this.messages = messages;
    }

    public static void main(String[] args) throws Exception {
        int messages = args.length > 1 ? Integer.parseInt(args[1]) : 50_000;
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 4;
        new RabbitMqThroughput(args[0], messages).compare(rounds);
    }

    private void compare(int rounds) throws Exception {
        try (Connection connection = factory.newConnection();
                Channel admin = connection.createChannel()) {
            admin.exchangeDeclare(EXCHANGE, "direct", true);
            admin.queueDeclare(EXCHANGE, true, false, false, null);
            admin.queueBind(EXCHANGE, EXCHANGE, "k");
            double raw = 0;
            double ours = 0;
            for (int round = 0; round <= rounds; round++) {
                admin.queuePurge(EXCHANGE);
                double rawRate = raw(connection);
                admin.queuePurge(EXCHANGE);
                double ourRate = throughTransport();
                System.out.printf(Locale.ROOT, "round %d: raw %.0f/s, transport %.0f/s%n", round, rawRate, ourRate);
                if (round > 0) { // the first one warms up
                    raw += rawRate / rounds;
                    ours += ourRate / rounds;
                }
            }
            System.out.printf(Locale.ROOT, "raw %.0f/s, transport %.0f/s, ratio %.2f%n", raw, ours, ours / raw);
            admin.queueDelete(EXCHANGE);
            admin.exchangeDelete(EXCHANGE);
        }
    }

    private double raw(Connection connection) throws Exception {
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
                channel.basicPublish(EXCHANGE, "k", true, MessageProperties.PERSISTENT_BASIC, body);
            }
            window.acquire(WINDOW);
            return rate(began);
        }
    }

    private double throughTransport() throws Exception {
        List<Message> all = new ArrayList<>(messages);
        for (int i = 0; i < messages; i++) {
            Event event = Event.builder("Throughput")
                    .bizKey("ORD" + i)
                    .traceId("trace-" + i)
                    .build();
            all.add(new Message(Destination.of(EXCHANGE, "k"), event, body));
        }
        try (RabbitMqTransport transport =
                RabbitMqTransport.builder(factory).window(WINDOW).build()) {
            transport.start();
            CountDownLatch outcomes = new CountDownLatch(messages);
            LongAdder failures = new LongAdder();
            long began = System.nanoTime();
            for (int i = 0; i < messages; i += transport.batchLimit()) {
                transport.send(all.subList(i, Math.min(messages, i + transport.batchLimit())), (index, outcome) -> {
                    if (!(outcome instanceof Outcome.Confirmed)) {
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
