package dev.waybill.starter.shop;

import com.rabbitmq.client.Channel;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servicetestkit.RabbitMqVhost;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The ids of all events that arrived at the broker, repeats included. */
public final class ArrivedEvents implements AutoCloseable {

    public static final String EXCHANGE = "shop";

    private final RabbitMqVhost vhost;
    private final List<String> eventIds = new CopyOnWriteArrayList<>();

    private ArrivedEvents(RabbitMqVhost vhost) {
        this.vhost = vhost;
    }

    public static ArrivedEvents open(RabbitMq rabbitMq) throws IOException {
        ArrivedEvents arrived = new ArrivedEvents(RabbitMqVhost.open(rabbitMq));
        Channel channel = arrived.vhost.channel();
        channel.exchangeDeclare(EXCHANGE, "topic", true);
        channel.queueDeclare("all", true, false, false, null);
        channel.queueBind("all", EXCHANGE, "#");
        channel.basicConsume(
                "all",
                true,
                (tag, delivery) -> arrived.eventIds.add(delivery.getProperties().getMessageId()),
                tag -> {});
        return arrived;
    }

    public String uri() {
        return vhost.uri();
    }

    public List<String> eventIds() {
        return List.copyOf(eventIds);
    }

    @Override
    public void close() throws IOException {
        vhost.close();
    }
}
