package dev.waybill.starter.broker;

import dev.waybill.starter.WaybillProperties;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What RabbitMQ's management interface tells of queues and nodes. Only asked for metrics, on a thread of their own: a broker or an
 * interface that is silent holds nothing up.
 */
public final class RabbitMqManagement {

    /**
     * The broker at one moment.
     *
     * @param queues those that exist
     * @param memoryAlarms nodes that are short of memory
     * @param diskAlarms nodes that are short of disk space
     */
    public record BrokerState(Map<String, QueueState> queues, int memoryAlarms, int diskAlarms) {}

    /**
     * One queue at one moment.
     *
     * @param retrying messages that wait in its retry queues for another delivery
     */
    public record QueueState(long ready, long unacknowledged, long consumers, long retrying) {}

    private static final String RETRY_QUEUES = "?page=1&page_size=500&use_regex=false&name=waybill.retry.";
    private static final Pattern RETRY_QUEUE = Pattern.compile("waybill\\.retry\\.(.+)\\.[0-9]+");
    private static final int NOT_FOUND = 404;
    private static final int OK = 200;

    private final WaybillProperties.RabbitMq settings;
    private final WaybillProperties.Management management;
    private final Supplier<String> virtualHost;
    private final HttpClient client;
    private final JsonMapper mapper = JsonMapper.builder().build();

    RabbitMqManagement(WaybillProperties.RabbitMq settings, Supplier<String> virtualHost) {
        this.settings = settings;
        this.management = settings.management();
        this.virtualHost = virtualHost;
        this.client =
                HttpClient.newBuilder().connectTimeout(management.timeout()).build();
    }

    /** These queues, and those that the configuration names for dead letters. */
    public Set<String> withDeadLetterQueues(List<String> queues) {
        Set<String> all = new TreeSet<>(queues);
        RabbitMqDeadLetterRoutes.of(settings).values().forEach(route -> all.add(route.queue()));
        RabbitMqDeadLetterRoutes.ofTheRest(settings).ifPresent(route -> all.add(route.queue()));
        return all;
    }

    /** Asks now; throws when the interface does not answer or refuses. */
    public BrokerState read(Set<String> queues) {
        int memoryAlarms = 0;
        int diskAlarms = 0;
        for (JsonNode node : ask("/api/nodes?columns=mem_alarm,disk_free_alarm")) {
            memoryAlarms += node.path("mem_alarm").asBoolean(false) ? 1 : 0;
            diskAlarms += node.path("disk_free_alarm").asBoolean(false) ? 1 : 0;
        }
        Map<String, QueueState> states = new HashMap<>();
        String ofVirtualHost = "/api/queues/" + encoded(virtualHost.get());
        Map<String, Long> retrying = retrying(ofVirtualHost);
        for (String queue : queues) {
            JsonNode told = ask(ofVirtualHost + "/" + encoded(queue));
            if (told.has("messages_ready")) {
                states.put(
                        queue,
                        new QueueState(
                                told.path("messages_ready").asLong(),
                                told.path("messages_unacknowledged").asLong(),
                                told.path("consumers").asLong(),
                                retrying.getOrDefault(queue, 0L)));
            }
        }
        return new BrokerState(Map.copyOf(states), memoryAlarms, diskAlarms);
    }

    /** One question for all of them; of more than 500 the first ones. */
    private Map<String, Long> retrying(String ofVirtualHost) {
        Map<String, Long> byQueue = new HashMap<>();
        for (JsonNode told : ask(ofVirtualHost + RETRY_QUEUES).path("items")) {
            Matcher name = RETRY_QUEUE.matcher(told.path("name").asString(""));
            if (name.matches()) {
                byQueue.merge(name.group(1), told.path("messages_ready").asLong(), Long::sum);
            }
        }
        return byQueue;
    }

    /** An empty answer for what does not exist. */
    private JsonNode ask(String path) {
        try {
            HttpResponse<String> answer = client.send(request(path), BodyHandlers.ofString());
            if (answer.statusCode() == NOT_FOUND) {
                return mapper.createObjectNode();
            }
            if (answer.statusCode() != OK) {
                throw new IllegalStateException(
                        "RabbitMQ's management interface answers " + answer.statusCode() + " to " + path);
            }
            return mapper.readTree(answer.body());
        } catch (IOException e) {
            throw new IllegalStateException("RabbitMQ's management interface does not answer: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while RabbitMQ's management interface was asked", e);
        }
    }

    private HttpRequest request(String path) {
        String credentials = management.user() + ":" + management.password();
        return HttpRequest.newBuilder(
                        URI.create(String.valueOf(management.uri()).replaceFirst("/+$", "") + path))
                .timeout(management.timeout())
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)))
                .build();
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
