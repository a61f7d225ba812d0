package dev.waybill.bench.contenders;

import dev.waybill.contender.BenchOrder;
import dev.waybill.contender.ContenderConfig;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.TraceParent;
import java.util.List;
import java.util.Objects;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.remoting.exception.RemotingException;

/** RocketMQ's client with batches of 100 on one thread, with the properties that Waybill's messages have. */
final class RawRocketMq implements AutoCloseable {

    private static final int BATCH = 100;

    private final ContenderConfig config;
    private final DefaultMQProducer producer = new DefaultMQProducer("bench_raw");
    private long confirmed;

    RawRocketMq(ContenderConfig config) {
        this.config = config;
        producer.setNamesrvAddr(config.broker());
        producer.setInstanceName(config.exchange());
        try {
            producer.start();
        } catch (MQClientException e) {
            throw new IllegalStateException(e);
        }
    }

    void send(List<Message> messages) {
        try {
            for (int from = 0; from < messages.size(); from += BATCH) {
                List<Message> batch = messages.subList(from, Math.min(messages.size(), from + BATCH));
                if (producer.send(batch).getSendStatus() != SendStatus.SEND_OK) {
                    throw new IllegalStateException("a batch was not SEND_OK");
                }
                confirmed += batch.size();
            }
        } catch (MQClientException | MQBrokerException | RemotingException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    Message ready(BenchOrder order) {
        Event event = BenchEvents.event(order);
        byte[] body = Envelope.encode(event, BodyFormat.ENVELOPE);
        Message message = new Message(config.exchange(), config.key(), event.eventId(), body);
        message.putUserProperty("traceId", Objects.requireNonNull(event.traceId()));
        message.putUserProperty("traceparent", Objects.requireNonNull(TraceParent.of(event)));
        message.putUserProperty("bizKey", Objects.requireNonNull(event.bizKey()));
        message.putUserProperty("eventType", event.type());
        message.putUserProperty("schemaVersion", "1");
        return message;
    }

    long confirmed() {
        return confirmed;
    }

    @Override
    public void close() {
        producer.shutdown();
    }
}
