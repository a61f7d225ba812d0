package dev.waybill.marketplace.running;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Vhost;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A virtual host of the test's own, and a client that is not the service's. */
public final class Rabbit implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final RabbitMq server;
    private final Vhost vhost;
    private final Connection connection;
    private final Channel channel;

    public Rabbit(RabbitMq server) throws Exception {
        this.server = server;
        this.vhost = server.freshVhost();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(vhost.amqpUri());
        this.connection = factory.newConnection("test");
        this.channel = connection.createChannel();
    }

    /** What the service needs to find it. */
    public Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        settings.put("spring.rabbitmq.host", server.host());
        settings.put("spring.rabbitmq.port", String.valueOf(server.port()));
        settings.put("spring.rabbitmq.virtual-host", vhost.name());
        settings.put("spring.rabbitmq.username", vhost.user());
        settings.put("spring.rabbitmq.password", vhost.password());
        return settings;
    }

    public Channel channel() {
        return channel;
    }

    /** Publishes an event as a colleague's service would. */
    public void publish(String routingKey, Event event) throws IOException {
        publish(
                routingKey,
                event.eventId(),
                new String(Envelope.encode(event, BodyFormat.SEVEN_FIELDS), StandardCharsets.UTF_8));
    }

    public void publish(String routingKey, String messageId, String body) throws IOException {
        channel.basicPublish(
                "order.events.exchange",
                routingKey,
                new BasicProperties.Builder()
                        .messageId(messageId)
                        .deliveryMode(2)
                        .build(),
                body.getBytes(StandardCharsets.UTF_8));
    }

    public long depth(String queue) throws IOException {
        return channel.messageCount(queue);
    }

    /** Takes a message off a queue; null when there is none. */
    public @Nullable GetResponse take(String queue) throws IOException {
        return channel.basicGet(queue, true);
    }

    /** One of the vhost's resources, such as {@code queues}, from the management API. */
    public JsonNode resource(String kind) {
        return JSON.readTree(server.manage("GET", "/api/" + kind + "/" + encoded(vhost.name()), ""));
    }

    /** Sets a policy on one queue: arguments that it was not declared with. */
    public void policy(String queue, String definition) {
        server.manage(
                "PUT",
                "/api/policies/" + encoded(vhost.name()) + "/test",
                "{\"pattern\":\"^" + queue.replace(".", "\\\\.") + "$\",\"apply-to\":\"queues\",\"definition\":"
                        + definition + "}");
    }

    public void endPolicy() {
        server.manage("DELETE", "/api/policies/" + encoded(vhost.name()) + "/test", "");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
