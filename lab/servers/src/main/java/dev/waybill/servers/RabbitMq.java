package dev.waybill.servers;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/** RabbitMQ with its management API; the user is an administrator. */
public final class RabbitMq extends ServerHandle {

    private static final byte[] PROTOCOL_HEADER = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};

    private final URI management;
    private final Queue<String> created = new ConcurrentLinkedQueue<>();
    private volatile boolean alarmed;

    RabbitMq(Checkout checkout, Address address) {
        super(checkout, Server.RABBITMQ, address);
        this.management = URI.create(managementUrl(checkout, address));
    }

    private static String managementUrl(Checkout checkout, Address address) {
        return address.isGiven()
                ? System.getenv().getOrDefault("WAYBILL_RABBITMQ_MANAGEMENT_URL", "http://" + address.host() + ":15672")
                : "http://" + address.host() + ":" + checkout.port("RABBITMQ_MANAGEMENT_PORT", Server.RABBITMQ);
    }

    /** {@code http://host:port}, without a slash at the end. */
    public String managementUrl() {
        return management.toString();
    }

    public String amqpUri(String vhost) {
        return amqpUri(host(), port(), vhost);
    }

    /** The same through another address, such as a {@link FaultProxy}'s. */
    public String amqpUri(String host, int port, String vhost) {
        return "amqp://" + user() + ":" + password() + "@" + host + ":" + port + "/" + vhost.replace("/", "%2F");
    }

    /** An empty virtual host under a name nobody else uses. */
    public Vhost freshVhost() {
        var name = "t-" + UUID.randomUUID();
        manage("PUT", "/api/vhosts/" + name, "{}");
        created.add(name);
        manage(
                "PUT",
                "/api/permissions/" + name + "/" + user(),
                "{\"configure\":\".*\",\"write\":\".*\",\"read\":\".*\"}");
        return new Vhost(name, amqpUri(name), user(), password());
    }

    /** One call of the management API, such as {@code manage("GET", "/api/queues/" + vhost, "")}; returns the body. */
    public String manage(String method, String path, String body) {
        var credentials = (user() + ":" + password()).getBytes(StandardCharsets.UTF_8);
        var request = HttpRequest.newBuilder(URI.create(management + path))
                .timeout(Duration.ofSeconds(20))
                .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials))
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        try {
            var response = Http.CLIENT.send(request, BodyHandlers.ofString());
            if (response.statusCode() >= 300) {
                throw new ServerUnavailableException("RabbitMQ refused " + method + " " + path + " with "
                        + response.statusCode() + ": " + response.body());
            }
            return response.body();
        } catch (IOException broken) {
            throw new ServerUnavailableException("RabbitMQ's management API does not answer at " + management, broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ServerUnavailableException("Interrupted while calling " + management, interrupted);
        }
    }

    /** Makes the broker believe that memory is short: it stops reading from publishers. */
    public void raiseMemoryAlarm() {
        alarmed = true;
        rabbitmqctl("set_vm_memory_high_watermark", "0");
    }

    public void clearMemoryAlarm() {
        rabbitmqctl("set_vm_memory_high_watermark", "0.4");
        alarmed = false;
    }

    /** RabbitMQ's own command-line tool; takes a second or two. */
    public String rabbitmqctl(String... arguments) {
        refuseIfGiven("control");
        var all = new ArrayList<>(List.of("rabbitmqctl"));
        all.addAll(List.of(arguments));
        return checkout().services(all);
    }

    /** The AMQP greeting, and an open management port. */
    @Override
    public boolean answers() {
        try {
            var frame = TcpExchange.ask(host(), port(), PROTOCOL_HEADER, 7);
            TcpExchange.connect(management.getHost(), management.getPort()).close();
            return frame.length == 7 && frame[0] == 1;
        } catch (IOException refused) {
            return false;
        }
    }

    @Override
    void removeLeftovers() {
        if (alarmed) {
            clearMemoryAlarm();
        }
        for (var name = created.poll(); name != null; name = created.poll()) {
            manage("DELETE", "/api/vhosts/" + name, "");
        }
    }

    /** Made on first use: a test that needs no virtual host does not pay for a client. */
    private static final class Http {
        static final HttpClient CLIENT = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
    }
}
