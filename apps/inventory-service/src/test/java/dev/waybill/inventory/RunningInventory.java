package dev.waybill.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.inventory.domain.StockGate;
import dev.waybill.inventory.domain.StockKey;
import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.Message;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service, started, and what can be seen of it from outside: HTTP, its topics and its tables. */
public final class RunningInventory implements AutoCloseable {

    public static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final JsonMapper JSON = new JsonMapper();

    private final ConfigurableApplicationContext context;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Queue<Delivery> told = new ConcurrentLinkedQueue<>();
    private final Lifecycle watcher;

    private RunningInventory(ConfigurableApplicationContext context) {
        this.context = context;
        String stockTopic = property("waybill.routes.StockReserved.topic");
        this.watcher = bean(Subscriptions.class)
                .subscribe(SubscriptionSpec.of(stockTopic, "watcher-" + UUID.randomUUID()), batch -> {
                    told.addAll(batch);
                    return batch.stream()
                            .<HandlerResult>map(delivery -> new HandlerResult.Done())
                            .toList();
                });
        watcher.start();
    }

    public static RunningInventory start(Map<String, ?> settings, Class<?>... more) {
        SpringApplicationBuilder application = InventoryApplication.application();
        application.sources(more);
        return new RunningInventory(application.run(arguments(settings)));
    }

    static String[] arguments(Map<String, ?> settings) {
        return settings.entrySet().stream()
                .map(entry -> "--" + entry.getKey() + "=" + entry.getValue())
                .toArray(String[]::new);
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    private String property(String name) {
        return context.getEnvironment().getRequiredProperty(name);
    }

    // Events

    public static Event created(String orderNo, Object... skuAndQuantity) {
        return order("OrderCreated", orderNo, skuAndQuantity);
    }

    public static Event canceled(String orderNo, Object... skuAndQuantity) {
        return order("OrderCanceled", orderNo, skuAndQuantity);
    }

    private static Event order(String type, String orderNo, Object... skuAndQuantity) {
        StringBuilder items = new StringBuilder();
        for (int i = 0; i < skuAndQuantity.length; i += 2) {
            items.append(i == 0 ? "" : ",")
                    .append("{\"skuId\":\"%s\",\"warehouseId\":1,\"quantity\":%s,\"price\":9.90}"
                            .formatted(skuAndQuantity[i], skuAndQuantity[i + 1]));
        }
        return Event.builder(type)
                .aggregate("Order", orderNo)
                .bizKey(orderNo)
                .traceId("trace-" + orderNo)
                .payload("{\"orderNo\":\"%s\",\"userId\":7,\"amount\":9.90,\"items\":[%s]}".formatted(orderNo, items))
                .build();
    }

    public void send(Event event) {
        send(List.of(event));
    }

    /** Returns when the broker has confirmed all of them. */
    public void send(List<Event> events) {
        sendTo(bean(InventorySettings.class).orderTopic(), events);
    }

    public void sendTo(String topic, List<Event> events) {
        List<Message> messages =
                events.stream().map(event -> message(topic, event)).toList();
        List<CompletableFuture<SendResult>> outcomes = messages.stream()
                .map(message -> new CompletableFuture<SendResult>())
                .toList();
        bean(Transport.class)
                .send(messages, (index, outcome) -> outcomes.get(index).complete(outcome));
        outcomes.forEach(outcome -> assertThat(outcome.join()).isInstanceOf(SendResult.Confirmed.class));
    }

    private static Message message(String topic, Event event) {
        String tag = event.type().equals("OrderCreated") ? "ORDER_CREATED" : "ORDER_CANCELED";
        return new Message(Destination.of(topic, tag), event, Envelope.encode(event, BodyFormat.ENVELOPE));
    }

    /** What the service told about an order, as the broker delivered it. */
    public List<Event> told(String orderNo) {
        return told.stream()
                .map(delivery -> Envelope.decode(delivery.body()))
                .filter(event -> orderNo.equals(event.bizKey()))
                .toList();
    }

    public List<Delivery> deliveries() {
        return List.copyOf(told);
    }

    /** Waits for the first word about the order. */
    public Event answer(String orderNo) {
        await().atMost(PATIENCE).until(() -> !told(orderNo).isEmpty());
        return told(orderNo).get(0);
    }

    // HTTP

    public Reply get(String path) {
        return exchange(HttpRequest.newBuilder(uri(path)));
    }

    public Reply post(String path, String body, String... headers) {
        return postAs("application/json", path, body, headers);
    }

    public Reply postAs(String contentType, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", contentType);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return exchange(request);
    }

    public void receive(String skuId, long quantity) {
        Reply reply = post(
                "/inventory/receive",
                "{\"warehouseId\":1,\"skuId\":\"%s\",\"quantity\":%d}".formatted(skuId, quantity));
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
    }

    /** A page that is no answer of the house. */
    public int statusOf(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(path)).build();
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private URI uri(String path) {
        int port = ((WebServerApplicationContext) context).getWebServer().getPort();
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private Reply exchange(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Reply(response.statusCode(), JSON.readTree(response.body()));
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** An answer. */
    public record Reply(int status, JsonNode body) {

        public String code() {
            return body.path("code").asString();
        }

        public JsonNode data() {
            return body.path("data");
        }
    }

    // Tables and gate

    public long available(String skuId) {
        return get("/inventory/1/" + skuId).data().path("available").asLong();
    }

    public long reserved(String skuId) {
        return get("/inventory/1/" + skuId).data().path("reserved").asLong();
    }

    public long count(String sql, Object... arguments) {
        Long found = bean(JdbcTemplate.class).queryForObject(sql, Long.class, arguments);
        return found == null ? 0 : found;
    }

    public String consumeLog(Event event) {
        return String.join(
                ",",
                bean(JdbcTemplate.class)
                        .queryForList(
                                "SELECT status FROM t_mq_consume_log WHERE event_id = ?",
                                String.class,
                                event.eventId()));
    }

    public void until(Runnable asserted) {
        await().atMost(PATIENCE).untilAsserted(asserted::run);
    }

    /** Waits until the gate holds nothing of the SKU and has the database's number. */
    public void untilGateAgrees(String skuId) {
        until(() -> {
            StockGate.View view =
                    bean(StockGate.class).look(new StockKey(1, skuId)).orElseThrow(() -> new AssertionError(skuId));
            assertThat(view.held()).as("held of %s", skuId).isZero();
            assertThat(view.available()).as("gate's %s", skuId).isEqualTo(available(skuId));
        });
    }

    @Override
    public void close() {
        watcher.stop(PATIENCE);
        context.close();
    }
}
