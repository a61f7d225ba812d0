package dev.waybill.bench;

import dev.waybill.message.Destination;
import dev.waybill.rocketmq.RocketMqTransport;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RocketMq;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.remoting.exception.RemotingException;

/** MariaDB and a RocketMQ broker with synchronous flush; raw is batches of 100 on one thread. */
final class RocketTrack implements Track {

    private static final int BATCH = 100;

    private final Backlog backlog;
    private final String topic = "BENCH_" + Long.toString(System.nanoTime(), 36).toUpperCase(java.util.Locale.ROOT);
    private final String nameServer;
    private final DefaultMQProducer producer = new DefaultMQProducer("bench_raw");

    RocketTrack(MariaDb sql, RocketMq broker) {
        backlog = new Backlog(sql.freshDatabase());
        nameServer = broker.nameServer();
        broker.createTopic(topic);
        producer.setNamesrvAddr(nameServer);
        try {
            producer.start();
        } catch (MQClientException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String name() {
        return "MariaDB + RocketMQ, synchronous flush";
    }

    @Override
    public double raw(int messages, int bytes) {
        byte[] body = new byte[bytes];
        long begin = System.nanoTime();
        try {
            for (int sent = 0; sent < messages; sent += BATCH) {
                List<Message> batch = new ArrayList<>(BATCH);
                for (int i = 0; i < Math.min(BATCH, messages - sent); i++) {
                    batch.add(new Message(topic, body));
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

    @Override
    public double drain(int events, int bytes) {
        backlog.fill(events, bytes);
        return backlog.drain(events, RocketMqTransport.builder(nameServer).build(), Destination.of(topic, "BENCH"));
    }

    @Override
    public void close() {
        producer.shutdown();
        backlog.close();
    }
}
