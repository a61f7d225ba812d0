package dev.waybill.bench;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import dev.waybill.message.Destination;
import dev.waybill.rabbitmq.RabbitMqTransport;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;

/** PostgreSQL and a durable classic queue; raw is one channel, persistent messages, confirms, a window of 512. */
final class RabbitTrack implements Track {

    private static final String EXCHANGE = "bench";
    private static final int WINDOW = 512;

    private final Backlog backlog;
    private final ConnectionFactory factory = new ConnectionFactory();
    private final Connection connection;
    private final Channel channel;

    RabbitTrack(PostgreSql sql, RabbitMq broker) {
        backlog = new Backlog(sql.freshDatabase());
        try {
            factory.setUri(broker.freshVhost().amqpUri());
            connection = factory.newConnection();
            channel = connection.createChannel();
            channel.exchangeDeclare(EXCHANGE, "topic", true);
            channel.queueDeclare(EXCHANGE, true, false, false, null);
            channel.queueBind(EXCHANGE, EXCHANGE, "#");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException | URISyntaxException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String name() {
        return "PostgreSQL + RabbitMQ classic";
    }

    @Override
    public double raw(int messages, int bytes) {
        Semaphore window = new Semaphore(WINDOW);
        Confirmed confirmed = new Confirmed(messages);
        byte[] body = new byte[bytes];
        try (Channel raw = connection.createChannel()) {
            raw.confirmSelect();
            raw.addConfirmListener(
                    (tag, multiple) -> window.release(confirmed.upTo((int) tag, multiple)), (tag, multiple) -> {
                        throw new IOException("nacked");
                    });
            long begin = System.nanoTime();
            for (int i = 0; i < messages; i++) {
                window.acquireUninterruptibly();
                raw.basicPublish(EXCHANGE, "x", true, MessageProperties.PERSISTENT_BASIC, body);
            }
            window.acquireUninterruptibly(WINDOW);
            double rate = messages * 1e9 / (System.nanoTime() - begin);
            purge(messages);
            return rate;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public double drain(int events, int bytes) {
        backlog.fill(events, bytes);
        double rate = backlog.drain(
                events, RabbitMqTransport.builder(factory).build(), Destination.of(EXCHANGE, "bench.event"));
        purge(events);
        return rate;
    }

    private void purge(int expected) {
        try {
            long purged = channel.queuePurge(EXCHANGE).getMessageCount();
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
        backlog.close();
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
