package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.waybill.message.Destination;
import dev.waybill.servers.RabbitMq;
import dev.waybill.testkit.TransportFixture;
import dev.waybill.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

/** A virtual host of its own on the private RabbitMQ; a destination is a direct exchange with a durable queue. */
final class RabbitMqFixture implements TransportFixture {

    static final int SIZE_LIMIT = 1024 * 1024;

    private final RabbitMq server;
    private final String vhost;

    RabbitMqFixture(RabbitMq server) {
        this.server = server;
        this.vhost = server.freshVhost().name();
    }

    /** Work on a channel, with the client's checked exceptions. */
    interface ChannelWork<T> {
        T on(Channel channel) throws IOException;
    }

    <T> T channel(ChannelWork<T> work) {
        try (Connection connection = factory().newConnection();
                Channel channel = connection.createChannel()) {
            return work.on(channel);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Puts messages straight into a queue, confirmed. */
    void publish(String queue, List<BasicProperties> messages, byte[] body) {
        channel(channel -> {
            channel.confirmSelect();
            for (BasicProperties properties : messages) {
                channel.basicPublish("", queue, true, properties, body);
            }
            try {
                return channel.waitForConfirms();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Takes everything out of a queue: each letter's id and the source that it names. */
    List<String> arrivedIn(String queue) {
        return channel(channel -> {
            List<String> arrived = new ArrayList<>();
            for (GetResponse next = channel.basicGet(queue, true); next != null; next = channel.basicGet(queue, true)) {
                BasicProperties letter = next.getProps();
                arrived.add(letter.getMessageId() + "@" + letter.getHeaders().get("x-waybill-source"));
            }
            return arrived;
        });
    }

    ConnectionFactory factory() {
        return factory(server.amqpUri(vhost));
    }

    static ConnectionFactory factory(String uri) {
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(uri);
            return factory;
        } catch (URISyntaxException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    String vhost() {
        return vhost;
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.of(Capability.RETURNS_UNROUTABLE);
    }

    @Override
    public Transport transport(Duration sendTimeout) {
        return RabbitMqTransport.builder(factory())
                .sendTimeout(sendTimeout)
                .maxMessageSize(SIZE_LIMIT)
                .build();
    }

    @Override
    public Destination unknownDestination() {
        return Destination.of("x-" + UUID.randomUUID(), "order.created");
    }

    @Override
    public void create(Destination unknown) {
        create(unknown, Map.of());
    }

    void create(Destination unknown, Map<String, Object> queueArguments) {
        channel(channel -> {
            channel.exchangeDeclare(unknown.topic(), "direct", true);
            channel.queueDeclare(unknown.topic(), true, false, false, queueArguments);
            return channel.queueBind(unknown.topic(), unknown.topic(), unknown.tag());
        });
    }

    @Override
    public Destination illegalDestination() {
        return Destination.of("x".repeat(256), "order.created");
    }

    @Override
    public int sizeLimit() {
        return SIZE_LIMIT;
    }

    /** A confirmed message is in the queue already, so an empty queue means that there are no more. */
    @Override
    public List<Arrived> arrived(Destination destination, int expected) {
        return channel(channel -> {
            List<Arrived> arrived = new ArrayList<>();
            for (GetResponse next = channel.basicGet(destination.topic(), false);
                    next != null;
                    next = channel.basicGet(destination.topic(), false)) {
                arrived.add(arrived(next));
            }
            return arrived; // unacknowledged: back in the queue when the channel closes
        });
    }

    private static Arrived arrived(GetResponse response) {
        BasicProperties properties = response.getProps();
        Map<String, String> headers = new HashMap<>();
        properties.getHeaders().forEach((name, value) -> headers.put(name, String.valueOf(value)));
        return new Arrived(
                properties.getMessageId(),
                properties.getType(),
                response.getEnvelope().getRoutingKey(),
                headers,
                response.getBody());
    }

    @Override
    public void unbind(Destination destination) {
        channel(channel -> channel.queueUnbind(destination.topic(), destination.topic(), destination.tag()));
    }

    @Override
    public void bind(Destination destination) {
        channel(channel -> channel.queueBind(destination.topic(), destination.topic(), destination.tag()));
    }

    @Override
    public void kill() {
        server.kill();
    }

    @Override
    public void revive() {
        server.start();
    }

    @Override
    public void pause() {
        server.pause();
    }

    @Override
    public void resume() {
        server.resume();
    }
}
