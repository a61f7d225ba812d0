package dev.waybill.faults;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.InboxLayouts;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.SqlServer;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A fresh database for a consumer, a fresh destination to consume from, and a sender that may repeat itself. */
final class ConsumerTestEnvironment implements AutoCloseable {

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final String EXCHANGE = "faults.events";
    private static final int CHUNK = 200;

    final String name;
    final NodeSettings spec;
    final Tables tables;
    private final Transport transport;

    private ConsumerTestEnvironment(String name, NodeSettings spec) {
        this.name = name;
        this.spec = spec;
        this.tables = new Tables(spec);
        this.transport = RelayNode.transport(spec);
        this.transport.start();
    }

    static ConsumerTestEnvironment of(PostgreSql sql, RabbitMq broker) {
        return of(sql, broker, Map.of());
    }

    /** With these arguments for the queue and its dead-letter queue. */
    static ConsumerTestEnvironment of(PostgreSql sql, RabbitMq broker, Map<String, Object> queueArguments) {
        NodeSettings spec = prepared(sql)
                .with("broker", "rabbitmq")
                .with("amqp", broker.freshVhost().amqpUri())
                .with("topic", EXCHANGE)
                .with("tag", "order.created")
                .with("dead", "faults.dead");
        declare(spec, channel -> {
            channel.exchangeDeclare(EXCHANGE, "topic", true);
            channel.queueDeclare("faults.dead", true, false, false, queueArguments);
        });
        return new ConsumerTestEnvironment("PostgreSQL+RabbitMQ", withQueue(spec, "faults.one", queueArguments));
    }

    static ConsumerTestEnvironment of(MariaDb sql, RocketMq broker) {
        String topic = "CONSUME_" + ProcessHandle.current().pid() + "_" + System.nanoTime() % 1_000_000 + "_"
                + NUMBERS.incrementAndGet();
        broker.createTopic(topic);
        return new ConsumerTestEnvironment(
                "MariaDB+RocketMQ",
                prepared(sql)
                        .with("broker", "rocketmq")
                        .with("nameServer", broker.nameServer())
                        .with("topic", topic)
                        .with("tag", "ORDER_CREATED")
                        .with("source", topic)
                        .with("group", "one_" + topic));
    }

    /** Another consumer of the same events: a second queue on the same key, or a second group on the same topic. */
    NodeSettings beside() {
        return spec.text("broker").equals("rabbitmq")
                ? withQueue(spec, "faults.two", Map.of())
                : spec.with("group", "two_" + spec.text("topic"));
    }

    private static NodeSettings withQueue(NodeSettings spec, String queue, Map<String, Object> arguments) {
        declare(spec, channel -> {
            channel.queueDeclare(queue, true, false, false, arguments);
            channel.queueBind(queue, EXCHANGE, "#");
        });
        return spec.with("source", queue).with("group", "group-of-" + queue);
    }

    void declareQueue(String queue, Map<String, Object> arguments) {
        declare(spec, channel -> channel.queueDeclare(queue, true, false, false, arguments));
    }

    /** Puts messages with this body straight into a queue, confirmed; returns how many are ready there then. */
    long publish(String queue, List<BasicProperties> messages, byte[] body) {
        AtomicLong ready = new AtomicLong();
        declare(spec, channel -> {
            channel.confirmSelect();
            for (BasicProperties properties : messages) {
                channel.basicPublish("", queue, true, properties, body);
            }
            try {
                channel.waitForConfirmsOrDie();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            ready.set(channel.messageCount(queue));
        });
        return ready.get();
    }

    /** Puts dead letters into the dead-letter queue, each as if it had failed in this queue. */
    void publishLetters(List<String> ids, String source) {
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        publish(
                spec.text("dead"),
                ids.stream()
                        .map(id -> new BasicProperties.Builder()
                                .messageId(id)
                                .deliveryMode(2)
                                .headers(Map.of("x-waybill-source", source))
                                .build())
                        .toList(),
                body);
    }

    private interface Declaration {
        void on(Channel channel) throws IOException;
    }

    private static void declare(NodeSettings spec, Declaration declaration) {
        try (Connection connection = RelayNode.rabbit(spec).newConnection("test-environment");
                Channel channel = connection.createChannel()) {
            declaration.on(channel);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private static NodeSettings prepared(SqlServer sql) {
        NodeSettings spec = NodeSettings.on(sql.freshDatabase());
        try (var source = RelayNode.dataSource(spec.with("pool", 2))) {
            Ddl.apply(source, InboxLayouts.waybill());
            Ddl.applyDeadLetters(source);
        }
        new Tables(spec).executeAll(List.of(ConsumerNode.EFFECT_TABLE));
        return spec;
    }

    /** Sends so many events, each so many times, the copies of a few hundred mixed together; returns their ids. */
    List<String> send(int events, int copies) {
        List<String> ids = new ArrayList<>(events);
        for (int from = 0; from < events; from += CHUNK) {
            List<Event> chunk = new ArrayList<>();
            for (int i = from; i < Math.min(events, from + CHUNK); i++) {
                Event event = Producers.event();
                ids.add(event.eventId());
                chunk.addAll(Collections.nCopies(copies, event));
            }
            Collections.shuffle(chunk);
            send(chunk);
        }
        return ids;
    }

    void send(List<Event> events) {
        Destination destination = Destination.of(spec.text("topic"), spec.text("tag"));
        sendMessages(events.stream()
                .map(event -> new Message(destination, event, Envelope.encode(event, BodyFormat.ENVELOPE)))
                .toList());
    }

    /** Sends a body that is not an event. */
    void sendBody(byte[] body) {
        Destination destination = Destination.of(spec.text("topic"), spec.text("tag"));
        sendMessages(List.of(new Message(destination, Producers.event(), body)));
    }

    private void sendMessages(List<Message> messages) {
        for (int from = 0; from < messages.size(); from += transport.batchLimit()) {
            List<Message> batch = messages.subList(from, Math.min(messages.size(), from + transport.batchLimit()));
            CountDownLatch confirmed = new CountDownLatch(batch.size());
            List<SendResult> refused = Collections.synchronizedList(new ArrayList<>());
            transport.send(batch, (index, outcome) -> {
                if (outcome instanceof SendResult.NotConfirmed) {
                    refused.add(outcome);
                }
                confirmed.countDown();
            });
            try {
                if (!confirmed.await(60, TimeUnit.SECONDS) || !refused.isEmpty()) {
                    throw new IllegalStateException("not all were confirmed: " + refused);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    long effects() {
        return tables.count("SELECT COUNT(*) FROM effect");
    }

    /** Events with a row that says done. */
    long done() {
        return tables.count("SELECT COUNT(*) FROM waybill_inbox WHERE status = 'SUCCESS'");
    }

    /** A figure for whoever reads the run. */
    void print(String format, Object... values) {
        Scenario.print("[" + name + "] " + String.format(Locale.ROOT, format, values));
    }

    @Override
    public void close() {
        transport.close();
    }
}
