package dev.waybill.bench;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.waybill.message.Destination;
import dev.waybill.message.Message;
import dev.waybill.rabbitmq.RabbitMqTransport;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.ServerHandle;
import dev.waybill.transport.Outcome;
import dev.waybill.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;

/** A durable queue; raw is one channel, confirms, a window, and messages with the properties that the relay gives them. */
final class RabbitBroker implements Broker {

    private static final String NAME = "bench";
    private static final int WINDOW = 1024;

    private final ConnectionFactory factory = new ConnectionFactory();
    private final Connection connection;
    private final Channel channel;
    private final RabbitMq server;

    RabbitBroker(RabbitMq server, String type) {
        this.server = server;
        try {
            factory.setUri(server.freshVhost().amqpUri());
            connection = factory.newConnection();
            channel = connection.createChannel();
            channel.exchangeDeclare(NAME, "topic", true);
            channel.queueDeclare(NAME, true, false, false, Map.of("x-queue-type", type));
            channel.queueBind(NAME, NAME, "#");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException | URISyntaxException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public ServerHandle server() {
        return server;
    }

    @Override
    public Destination destination() {
        return Destination.of(NAME, "bench.event");
    }

    @Override
    public Transport transport() {
        return RabbitMqTransport.builder(factory).build();
    }

    @Override
    public double raw(int messages, Sample sample) {
        GetResponse model = sentByTheTransport(sample);
        BasicProperties properties = model.getProps();
        byte[] body = model.getBody();
        Semaphore window = new Semaphore(WINDOW);
        Confirmed confirmed = new Confirmed(messages);
        try (Channel raw = connection.createChannel()) {
            raw.confirmSelect();
            raw.addConfirmListener(
                    (tag, multiple) -> window.release(confirmed.upTo((int) tag, multiple)), (tag, multiple) -> {
                        throw new IOException("nacked");
                    });
            long begin = System.nanoTime();
            for (int i = 0; i < messages; i++) {
                window.acquireUninterruptibly();
                raw.basicPublish(NAME, destination().tag(), true, properties, body);
            }
            window.acquireUninterruptibly(WINDOW);
            return messages * 1e9 / (System.nanoTime() - begin);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A message as the relay's transport sends it, so that raw sends the same bytes, headers and persistence. */
    private GetResponse sentByTheTransport(Sample sample) {
        try (Transport transport = transport()) {
            transport.start();
            CompletableFuture<Outcome> outcome = new CompletableFuture<>();
            transport.send(
                    List.of(new Message(destination(), sample.event(), sample.body())),
                    (index, told) -> outcome.complete(told));
            if (outcome.join() instanceof Outcome.NotConfirmed not) {
                throw new IllegalStateException(not.describe());
            }
            return channel.basicGet(NAME, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void arrived(int expected) {
        try {
            long purged = channel.queuePurge(NAME).getMessageCount();
            if (purged != expected) {
                throw new IllegalStateException("not a result: " + purged + " arrived of " + expected);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        connection.abort(1000);
    }

    /** Counts each confirm once, whether it comes alone or covers all before it. */
    private static final class Confirmed {

        private final boolean[] seen;
        private int low = 1;

        Confirmed(int messages) {
            seen = new boolean[messages + 1];
        }

        int upTo(int tag, boolean multiple) {
            if (!multiple) {
                seen[tag] = true;
                return 1;
            }
            int fresh = 0;
            for (; low <= tag; low++) {
                if (!seen[low]) {
                    fresh++;
                }
            }
            return fresh;
        }
    }
}
