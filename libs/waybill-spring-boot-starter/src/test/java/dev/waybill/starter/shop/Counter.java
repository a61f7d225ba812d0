package dev.waybill.starter.shop;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Vhost;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The far end of the broker: what arrived there, repeats included. */
public final class Counter implements AutoCloseable {

    public static final String EXCHANGE = "shop";

    private final Vhost vhost;
    private final Connection connection;
    private final List<String> eventIds = new CopyOnWriteArrayList<>();

    private Counter(Vhost vhost, Connection connection) {
        this.vhost = vhost;
        this.connection = connection;
    }

    public static Counter open(RabbitMq rabbitMq) throws Exception {
        Vhost vhost = rabbitMq.freshVhost();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(vhost.amqpUri());
        Counter counter = new Counter(vhost, factory.newConnection());
        Channel channel = counter.connection.createChannel();
        channel.exchangeDeclare(EXCHANGE, "topic", true);
        channel.queueDeclare("all", true, false, false, null);
        channel.queueBind("all", EXCHANGE, "#");
        channel.basicConsume(
                "all",
                true,
                (tag, delivery) -> counter.eventIds.add(delivery.getProperties().getMessageId()),
                tag -> {});
        return counter;
    }

    public String uri() {
        return vhost.amqpUri();
    }

    public List<String> eventIds() {
        return List.copyOf(eventIds);
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
