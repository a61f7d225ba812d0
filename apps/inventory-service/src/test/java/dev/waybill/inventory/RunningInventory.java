package dev.waybill.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.inventory.domain.StockGate;
import dev.waybill.inventory.domain.StockKey;
import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.Message;
import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.ConfirmedSend;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.RunningService;
import dev.waybill.servicetestkit.ServiceSettings;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** The service, started, and what can be seen of it from outside: HTTP, its topics and its tables. */
public final class RunningInventory extends RunningService {

    public static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Queue<Delivery> published = new ConcurrentLinkedQueue<>();
    private final Lifecycle subscription;

    private RunningInventory(SpringApplicationBuilder application, ServiceSettings settings) {
        super(application, settings);
        String stockTopic = setting("waybill.routes.StockReserved.topic");
        this.subscription = bean(Subscriptions.class)
                .subscribe(SubscriptionSpec.of(stockTopic, "test-" + UUID.randomUUID()), batch -> {
                    published.addAll(batch);
                    return batch.stream()
                            .<HandlerResult>map(delivery -> new HandlerResult.Done())
                            .toList();
                });
        subscription.start();
    }

    /** The classes bring beans of the test's own. */
    public static RunningInventory start(ServiceSettings settings, Class<?>... testBeans) {
        return new RunningInventory(InventoryApplication.application().sources(testBeans), settings);
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
        ConfirmedSend.send(
                bean(Transport.class),
                events.stream().map(event -> message(topic, event)).toList());
    }

    private static Message message(String topic, Event event) {
        String tag = event.type().equals("OrderCreated") ? "ORDER_CREATED" : "ORDER_CANCELED";
        return ConfirmedSend.message(Destination.of(topic, tag), event);
    }

    /** What the service published about an order, as the broker delivered it. */
    public List<Event> published(String orderNo) {
        return published.stream()
                .map(delivery -> Envelope.decode(delivery.body()))
                .filter(event -> orderNo.equals(event.bizKey()))
                .toList();
    }

    /** Waits for the first event about the order. */
    public Event answer(String orderNo) {
        await().atMost(PATIENCE).until(() -> !published(orderNo).isEmpty());
        return published(orderNo).get(0);
    }

    // HTTP

    /** An operator's request: in the profile for real servers nobody else may do everything that tests do. */
    @Override
    public HttpRequest.Builder request(String path) {
        return super.request(path).setHeader("Authorization", "Bearer " + BearerTokens.OF_TESTS.operator());
    }

    public void receive(String skuId, long quantity) {
        HttpReply reply = receiveUnder(UUID.randomUUID().toString(), skuId, quantity);
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
    }

    public HttpReply receiveUnder(String key, String skuId, long quantity) {
        String body = "{\"warehouseId\":1,\"skuId\":\"%s\",\"quantity\":%d}".formatted(skuId, quantity);
        return post("/inventory/receive", body, "X-Idempotency-Key", key);
    }

    // Tables and gate

    public long available(String skuId) {
        return get("/inventory/1/" + skuId).number("available");
    }

    public long reserved(String skuId) {
        return get("/inventory/1/" + skuId).number("reserved");
    }

    public String consumeLog(Event event) {
        return String.join(
                ",",
                rows("SELECT status FROM t_mq_consume_log WHERE event_id = ?", event.eventId()).stream()
                        .map(row -> String.valueOf(row.get("status")))
                        .toList());
    }

    public void until(Runnable asserted) {
        await().atMost(PATIENCE).untilAsserted(asserted::run);
    }

    /** Waits until the gate, if there is one, holds nothing of the SKU and has the database's number. */
    public void untilGateAgrees(String skuId) {
        if (!bean(StockGate.class).isThere()) {
            return;
        }
        until(() -> {
            StockGate.View view =
                    bean(StockGate.class).look(new StockKey(1, skuId)).orElseThrow(() -> new AssertionError(skuId));
            assertThat(view.held()).as("held of %s", skuId).isZero();
            assertThat(view.available()).as("gate's %s", skuId).isEqualTo(available(skuId));
        });
    }

    @Override
    public void close() {
        subscription.stop(PATIENCE);
        super.close();
    }
}
