package dev.waybill.servicetestkit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Vhost;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A virtual host of the test's own, and a connection to it that is not the service's. */
public final class RabbitMqVhost implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();

    private final RabbitMq server;
    private final Vhost vhost;
    private final Connection connection;
    private final Channel channel;

    private RabbitMqVhost(RabbitMq server, Vhost vhost, Connection connection) throws IOException {
        this.server = server;
        this.vhost = vhost;
        this.connection = connection;
        this.channel = connection.createChannel();
    }

    public static RabbitMqVhost open(RabbitMq server) throws IOException {
        Vhost vhost = server.freshVhost();
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(vhost.amqpUri());
            return new RabbitMqVhost(server, vhost, factory.newConnection("test"));
        } catch (URISyntaxException | GeneralSecurityException | TimeoutException e) {
            throw new IOException("no connection to " + vhost.name(), e);
        }
    }

    public String uri() {
        return vhost.amqpUri();
    }

    public ServiceSettings addTo(ServiceSettings settings) {
        return settings.rabbitMq(server, vhost)
                .set("waybill.rabbitmq.management.uri", server.managementUrl())
                .set("waybill.rabbitmq.management.user", server.user())
                .set("waybill.rabbitmq.management.password", server.password());
    }

    public Channel channel() {
        return channel;
    }

    /** Declares an exchange and queues that are bound to it by their names. */
    public void declare(String directExchange, String... queues) throws IOException {
        channel.exchangeDeclare(directExchange, "direct", true);
        for (String queue : queues) {
            channel.queueDeclare(queue, true, false, false, null);
            channel.queueBind(queue, directExchange, queue);
        }
    }

    public long depth(String queue) throws IOException {
        return channel.messageCount(queue);
    }

    /** Takes a message off a queue; null when there is none. */
    public @Nullable GetResponse take(String queue) throws IOException {
        return channel.basicGet(queue, true);
    }

    /** One kind of the virtual host's resources, such as {@code queues}, from the management API. */
    public JsonNode resources(String kind) {
        return JSON.readTree(server.manage("GET", "/api/" + kind + "/" + encodedName(), ""));
    }

    /** Sets a policy on one queue: arguments that it was not declared with. */
    public void setPolicy(String queue, String definition) {
        server.manage(
                "PUT",
                "/api/policies/" + encodedName() + "/test",
                "{\"pattern\":\"^" + queue.replace(".", "\\\\.") + "$\",\"apply-to\":\"queues\",\"definition\":"
                        + definition + "}");
    }

    /** From now on the user may send and receive here, but declare nothing. */
    public void forbidToConfigure() {
        server.manage(
                "PUT",
                "/api/permissions/" + encodedName() + "/" + server.user(),
                "{\"configure\":\"^$\",\"write\":\".*\",\"read\":\".*\"}");
    }

    public void removePolicy() {
        server.manage("DELETE", "/api/policies/" + encodedName() + "/test", "");
    }

    private String encodedName() {
        return URLEncoder.encode(vhost.name(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
