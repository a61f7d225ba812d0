package dev.waybill.bench.contenders;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.waybill.contender.BenchOrder;
import dev.waybill.contender.ContenderConfig;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.TraceParent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** RabbitMQ's client at its fastest while confirmed: one channel, a window, the properties that Waybill's messages have. */
final class RawRabbitMq implements AutoCloseable {

    private static final int WINDOW = 1024;

    private final Connection connection;
    private final Channel channel;
    private final String exchange;
    private final String key;
    private final Semaphore window = new Semaphore(WINDOW);
    private final ConfirmCounter confirms = new ConfirmCounter();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong confirmed = new AtomicLong();

    RawRabbitMq(ContenderConfig config) {
        exchange = config.exchange();
        key = config.key();
        try {
            connection = BrokerClients.rabbit(config).newConnection("bench-raw");
            channel = connection.createChannel();
            channel.confirmSelect();
            channel.addConfirmListener(this::confirmed, (tag, multiple) -> {
                throw new IOException("nacked");
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private void confirmed(long tag, boolean multiple) {
        int fresh = confirms.upTo(tag, multiple);
        confirmed.addAndGet(fresh);
        window.release(fresh);
    }

    /** A message that only has to be written. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Ready(BasicProperties properties, byte[] body) {}

    static Ready ready(BenchOrder order) {
        Event event = BenchEvents.event(order);
        return new Ready(properties(event, order.number()), Envelope.encode(event, BodyFormat.ENVELOPE));
    }

    void send(Ready message) {
        window.acquireUninterruptibly();
        synchronized (channel) {
            try {
                sent.incrementAndGet();
                channel.basicPublish(exchange, key, true, message.properties(), message.body());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static BasicProperties properties(Event event, long stamp) {
        Map<String, Object> headers = new HashMap<>();
        headers.put("traceId", event.traceId());
        headers.put("traceparent", TraceParent.of(event));
        headers.put("bizKey", event.bizKey());
        headers.put("schemaVersion", event.schemaVersion());
        headers.put("waybill-seq", stamp);
        return new BasicProperties.Builder()
                .messageId(event.eventId())
                .type(event.type())
                .contentType("application/json")
                .contentEncoding("utf-8")
                .deliveryMode(2)
                .timestamp(Date.from(event.occurredAt()))
                .headers(headers)
                .build();
    }

    long confirmed() {
        return confirmed.get();
    }

    long unconfirmed() {
        return sent.get() - confirmed.get();
    }

    void awaitConfirms() {
        window.acquireUninterruptibly(WINDOW);
        window.release(WINDOW);
    }

    @Override
    public void close() {
        connection.abort(1000);
    }
}
