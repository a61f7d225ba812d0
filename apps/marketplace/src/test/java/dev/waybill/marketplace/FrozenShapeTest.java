package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.GetResponse;
import dev.waybill.marketplace.running.FrozenTables;
import dev.waybill.marketplace.running.RealMarket;
import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.retry.FixedSchedule;
import dev.waybill.retry.RetryRules;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.AsyncApiDocument;
import dev.waybill.servicetestkit.HttpReply;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is frozen, read back from the servers: the topology, the two tables, the messages; and the defaults behind them. */
@Servers({Server.MARIADB, Server.RABBITMQ})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FrozenShapeTest {

    private static final String EXCHANGE = "order.events.exchange";
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private RealMarket real;
    private RunningMarket market;

    @BeforeAll
    void start(MariaDb mariaDb, RabbitMq rabbitMq) throws Exception {
        real = RealMarket.start(mariaDb, rabbitMq);
        market = real.service();
    }

    @AfterAll
    void stop() throws IOException {
        real.close();
    }

    /** Name, durable, type and arguments; binding by binding. */
    @Test
    void theLiveTopologyIsTheFrozenOneAndRetryQueuesAndNothingElse() {
        waitForARetryQueue();
        assertThat(real.rabbit()
                        .resources("exchanges")
                        .valueStream()
                        .filter(each -> !each.path("name").asString().isEmpty()
                                && !each.path("name").asString().startsWith("amq."))
                        .map(each -> each.path("name").asString() + " "
                                + each.path("type").asString() + " durable=" + each.path("durable") + " "
                                + each.path("arguments")))
                .containsExactly(EXCHANGE + " topic durable=true {}");

        Map<String, String> queues = new TreeMap<>();
        Set<String> retryQueues = new TreeSet<>();
        for (JsonNode queue : real.rabbit().resources("queues")) {
            String name = queue.path("name").asString();
            assertThat(queue.path("durable").asBoolean()).isTrue();
            assertThat(queue.path("auto_delete").asBoolean()).isFalse();
            if (name.startsWith("waybill.retry.")) {
                retryQueues.add(name);
            } else {
                queues.put(name, sorted(queue.path("arguments")));
            }
        }
        String deadLetters = "{x-dead-letter-exchange=" + EXCHANGE + ", x-dead-letter-routing-key=order.dlq}";
        assertThat(queues)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "order.timeout.queue", deadLetters,
                        "inventory.update.queue", deadLetters,
                        "order.fulfillment.queue", deadLetters,
                        "order.status.sync.queue", deadLetters,
                        "order.dlq.queue", "{}",
                        "order.timeout.delay.queue",
                                "{x-dead-letter-exchange=" + EXCHANGE
                                        + ", x-dead-letter-routing-key=order.timeout, x-message-ttl=900000}"));
        assertThat(retryQueues)
                .contains("waybill.retry.order.fulfillment.queue.5000")
                .allMatch(name -> name.startsWith("waybill.retry.order.fulfillment.queue."));

        assertThat(real.rabbit()
                        .resources("bindings")
                        .valueStream()
                        .filter(each -> !each.path("source")
                                .asString()
                                .isEmpty()) // every queue is bound to the default exchange
                        .map(each -> each.path("source").asString() + " "
                                + each.path("routing_key").asString() + " "
                                + each.path("destination").asString() + " " + each.path("arguments")))
                .containsExactlyInAnyOrder(
                        EXCHANGE + " order.created inventory.update.queue {}",
                        EXCHANGE + " order.paid order.fulfillment.queue {}",
                        EXCHANGE + " order.status.changed order.status.sync.queue {}",
                        EXCHANGE + " order.timeout order.timeout.queue {}",
                        EXCHANGE + " order.timeout.delay order.timeout.delay.queue {}",
                        EXCHANGE + " order.dlq order.dlq.queue {}");
    }

    private static String sorted(JsonNode arguments) {
        Map<String, String> sorted = new TreeMap<>();
        arguments
                .properties()
                .forEach(each -> sorted.put(each.getKey(), each.getValue().asString()));
        return sorted.toString();
    }

    /** One failure that another try mends. */
    private void waitForARetryQueue() {
        HttpReply order = market.newOrder();
        market.update("RENAME TABLE fulfillments TO fulfillments_away");
        market.move(order.id(), "pay");
        await().atMost(RunningMarket.PATIENCE)
                .until(() -> real.rabbit()
                        .resources("queues")
                        .valueStream()
                        .anyMatch(queue -> queue.path("name").asString().startsWith("waybill.retry.")));
        market.update("RENAME TABLE fulfillments_away TO fulfillments");
        await().atMost(Duration.ofSeconds(60)) // on a busy machine it may have failed twice
                .until(() ->
                        market.get("/orders/" + order.id() + "/fulfillment").status() == 200);
    }

    @Test
    void everyListenerAcknowledgesByHandAndHasTwentyMessagesAheadAtMost() {
        await().atMost(RunningMarket.PATIENCE)
                .untilAsserted(() -> assertThat(real.rabbit()
                                .resources("consumers")
                                .valueStream()
                                .filter(each -> !each.path("queue")
                                        .path("name")
                                        .asString()
                                        .equals("order.dlq.queue"))
                                .map(each -> each.path("queue").path("name").asString() + " ack="
                                        + each.path("ack_required") + " prefetch=" + each.path("prefetch_count"))
                                .distinct())
                        .containsExactlyInAnyOrder(
                                "inventory.update.queue ack=true prefetch=20",
                                "order.fulfillment.queue ack=true prefetch=20",
                                "order.status.sync.queue ack=true prefetch=20",
                                "order.timeout.queue ack=true prefetch=20"));
    }

    @Test
    void theTwoTablesHaveExactlyTheFrozenColumnsTypesKeysAndIndexes() {
        FrozenTables.assertIn(market);
    }

    @Test
    void whatIsSentIsWhatIsDocumented() throws IOException {
        AsyncApiDocument documented = AsyncApiDocument.read("docs/events/marketplace.asyncapi.yaml");
        String copies = real.rabbit().channel().queueDeclare().getQueue();
        try {
            real.rabbit().channel().queueBind(copies, EXCHANGE, "#");
            HttpReply order = market.newOrder();
            for (String step : List.of("pay", "ship", "complete")) {
                market.move(order.id(), step);
            }
            Map<String, Integer> seen = new TreeMap<>();
            await().atMost(RunningMarket.PATIENCE).until(() -> {
                GetResponse got = real.rabbit().take(copies);
                if (got != null) {
                    assertDocumented(documented, got, order);
                    seen.merge(got.getProps().getType(), 1, Integer::sum);
                }
                return seen.values().stream().mapToInt(Integer::intValue).sum() == 5;
            });
            assertThat(seen)
                    .isEqualTo(
                            Map.of("ORDER_CREATED", 1, "ORDER_TIMEOUT", 1, "ORDER_PAID", 1, "ORDER_STATUS_CHANGED", 2));
        } finally {
            real.rabbit().channel().queueDelete(copies);
        }
    }

    private static void assertDocumented(AsyncApiDocument documented, GetResponse got, HttpReply order) {
        JsonNode body = JSON.readTree(got.getBody());
        String type = got.getProps().getType();
        String channel = Map.of(
                        "ORDER_CREATED", "created",
                        "ORDER_PAID", "paid",
                        "ORDER_STATUS_CHANGED", "statusChanged",
                        "ORDER_TIMEOUT", "timeoutDelay")
                .get(type);
        assertThat(got.getEnvelope().getRoutingKey()).isEqualTo(documented.address(channel));
        assertThat(documented.violations(channel, type, got.getBody())).isEmpty();
        assertThat(body.propertyNames())
                .containsExactly(
                        "eventId", "eventType", "aggregateType", "aggregateId", "occurredAt", "traceId", "payload");
        assertThat(body.path("aggregateId").asLong()).isEqualTo(order.id());
        assertThat(body.path("payload").path("orderId").asLong()).isEqualTo(order.id());
        assertThat(got.getProps().getMessageId()).isEqualTo(body.path("eventId").asString());
        assertThat(got.getProps().getDeliveryMode()).isEqualTo(2);
        assertThat(got.getProps().getHeaders().get("bizKey")).hasToString(order.text("orderNo"));
        assertThat(got.getProps().getHeaders()).containsKeys("traceId", "traceparent", "schemaVersion");
    }

    @Test
    void theDefaultsAreTheFrozenOnes() {
        assertThat(market.bean(RetryRules.class).of("ORDER_PAID"))
                .isEqualTo(new FixedSchedule(
                        List.of(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMinutes(2))));
        assertThat(Map.of(
                        "batch", market.setting("waybill.relay.batch"),
                        "interval", market.setting("waybill.relay.poll-interval"),
                        "retries", market.setting("waybill.retry.schedule"),
                        "minutes", market.setting("order.timeout.pending-minutes"),
                        "confirms", market.setting("spring.rabbitmq.publisher-confirm-type"),
                        "returns", market.setting("spring.rabbitmq.publisher-returns"),
                        "acknowledge", market.setting("spring.rabbitmq.listener.simple.acknowledge-mode"),
                        "prefetch", market.setting("waybill.inbox.prefetch"),
                        "requeue", market.setting("spring.rabbitmq.listener.simple.default-requeue-rejected")))
                .isEqualTo(Map.of(
                        "batch", "200",
                        "interval", "5s",
                        "retries", "5s, 30s, 2m",
                        "minutes", "15",
                        "confirms", "correlated",
                        "returns", "true",
                        "acknowledge", "manual",
                        "prefetch", "20",
                        "requeue", "false"));
    }
}
