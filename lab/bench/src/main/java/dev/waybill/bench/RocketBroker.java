package dev.waybill.bench;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.message.TraceParent;
import dev.waybill.rocketmq.RocketMqTransport;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.ServerHandle;
import dev.waybill.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.remoting.exception.RemotingException;

/** A broker with synchronous flush; raw is batches of 100 on one thread, with the properties that the relay gives. */
final class RocketBroker implements Broker {

    private static final int BATCH = 100;

    private final String topic = "BENCH_" + Long.toString(System.nanoTime(), 36).toUpperCase(Locale.ROOT);
    private final String nameServer;
    private final DefaultMQProducer producer = new DefaultMQProducer("bench_raw");
    private final RocketMq server;

    RocketBroker(RocketMq server) {
        this.server = server;
        nameServer = server.nameServer();
        server.createTopic(topic);
        producer.setNamesrvAddr(nameServer);
        producer.setInstanceName(topic);
        try {
            producer.start();
        } catch (MQClientException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public ServerHandle server() {
        return server;
    }

    @Override
    public Destination destination() {
        return Destination.of(topic, "BENCH");
    }

    @Override
    public Transport transport() {
        return RocketMqTransport.builder(nameServer).build();
    }

    @Override
    public double raw(int messages, Sample sample) {
        byte[] body = sample.body();
        long begin = System.nanoTime();
        try {
            for (int sent = 0; sent < messages; sent += BATCH) {
                List<Message> batch = new ArrayList<>(BATCH);
                for (int i = 0; i < Math.min(BATCH, messages - sent); i++) {
                    batch.add(message(sample.event(), body));
                }
                if (producer.send(batch).getSendStatus() != SendStatus.SEND_OK) {
                    throw new IllegalStateException("not a result: a batch was not SEND_OK");
                }
            }
        } catch (MQClientException | MQBrokerException | RemotingException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return messages * 1e9 / (System.nanoTime() - begin);
    }

    private Message message(Event event, byte[] body) {
        Message message = new Message(topic, destination().tag(), event.eventId(), body);
        message.putUserProperty("traceId", Objects.requireNonNull(event.traceId()));
        message.putUserProperty("traceparent", Objects.requireNonNull(TraceParent.of(event)));
        message.putUserProperty("bizKey", Objects.requireNonNull(event.bizKey()));
        message.putUserProperty("eventType", event.type());
        message.putUserProperty("schemaVersion", "1");
        return message;
    }

    /** Nobody counts a topic's messages for us; the outbox's rows say that all were stored. */
    @Override
    public void arrived(int expected) {}

    @Override
    public void close() {
        producer.shutdown();
    }
}
