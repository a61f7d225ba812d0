package dev.waybill.starter.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.servicetestkit.HttpCalls;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Settlement;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

/** Search, history, overview, audit, and what people pause: through HTTP, on a real table. */
class AdminProcessTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String DATABASE = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private static final String CONSUMER =
            "{\"source\":\"" + AdminShop.QUEUE + "\",\"group\":\"" + AdminShop.GROUP + "\",\"reason\":\"%s\"}";

    private static AdminShop shop;

    @BeforeAll
    static void start() {
        shop = new AdminShop("spring.datasource.url=" + DATABASE);
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    @Test
    void anEventIsFoundWithItsHistoryWhileTheRelayIsPaused() {
        assertThat(post("/relay/pause", "{\"reason\":\"the disk is full\"}").status())
                .isEqualTo(200);
        await().atMost(PATIENCE).until(() -> !get("/relay").path("sending").asBoolean());
        assertThat(get("/relay").path("paused").path("actor").asString()).isEqualTo("olga");
        assertThat(post("/relay/pause", "{\"reason\":\"once more\"}").status()).isEqualTo(409);
        String id = publish("<script>alert(1)</script>");
        assertThat(items("/events?state=NEW&key=ORD-1"))
                .extracting(event -> event.path("eventId").asString())
                .containsExactly(id);
        assertThat(get("/overview").path("outbox").path("fresh").asInt()).isEqualTo(1);

        die(id, "NACKED: queue 17 is full");
        JsonNode event = get("/events/" + id);

        assertThat(event.path("event").path("state").asString()).isEqualTo("DEAD");
        assertThat(event.path("content").path("payload").asString()).contains("<script>");
        assertThat(event.path("attempts")).hasSize(1);
        JsonNode attempt = event.path("attempts").get(0);
        assertThat(attempt.path("error").asString()).isEqualTo("NACKED: queue 17 is full");
        assertThat(attempt.path("tookMillis").asInt()).isEqualTo(1_500);
        assertThat(attempt.path("node").asString()).isNotBlank();
        assertThat(event.path("errors").get(0).path("error").asString()).isEqualTo("NACKED: queue # is full");
        assertThat(get("/errors").get(0).path("example").asString()).isEqualTo(id);
        assertThat(items("/events?state=DEAD,RETRY")).hasSize(1);

        store().requeue(List.of(id), new OperatorDecision("olga", "the queue is empty"));
        assertThat(get("/events/" + id).path("decisions").get(0).path("reason").asString())
                .isEqualTo("the queue is empty");
        assertThat(post("/relay/resume", "{\"reason\":\"mended\"}").status()).isEqualTo(200);
        await().atMost(PATIENCE).until(() -> shop.arrived().orders.stream().anyMatch(order -> order.contains("alert")));
        assertThat(items("/audit?limit=3"))
                .extracting(record -> record.path("action").asString())
                .containsExactly("RESUME", "REQUEUE", "PAUSE");
        assertThat(items("/audit?limit=1&after="
                                + items("/audit?limit=1").get(0).path("id").asInt())
                        .get(0)
                        .path("action")
                        .asString())
                .isEqualTo("REQUEUE");
    }

    @Test
    void aPausedSubscriptionIsPausedInEveryReplicaAndAfterARestart() {
        assertThat(post("/consumers/pause", CONSUMER.formatted("a bad release")).status())
                .isEqualTo(200);
        await().atMost(PATIENCE).until(() -> !consumer(shop).path("receiving").asBoolean());
        String id = publish("waits");
        try (AdminShop replica = new AdminShop("spring.datasource.url=" + DATABASE)) {
            JsonNode there = consumer(replica);
            assertThat(there.path("receiving").asBoolean()).isFalse();
            assertThat(there.path("paused").path("reason").asString()).isEqualTo("a bad release");
            assertThat(shop.arrived().orders).noneMatch(order -> order.contains("waits"));

            assertThat(post("/consumers/resume", CONSUMER.formatted("it is mended"))
                            .status())
                    .isEqualTo(200);

            await().atMost(PATIENCE)
                    .until(() -> consumer(replica).path("receiving").asBoolean());
        }
        await().atMost(PATIENCE).until(() -> shop.arrived().orders.stream().anyMatch(order -> order.contains("waits")));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                get("/events/" + id).path("event").path("state").asString())
                        .isEqualTo("SENT"));
        assertThat(post("/consumers/resume", CONSUMER.formatted("again")).status())
                .isEqualTo(409);
    }

    @Test
    void whatNobodyHasCannotBePausedAndNothingIsWithoutAReason() {
        assertThat(post("/consumers/pause", "{\"source\":\"nothing\",\"group\":\"nobody\",\"reason\":\"x\"}")
                        .status())
                .isEqualTo(404);
        assertThat(post("/consumers/pause", CONSUMER.formatted(" ")).status()).isEqualTo(400);
        assertThat(post("/relay/pause", "{}").status()).isEqualTo(400);
        assertThat(post("/relay/pause", "[1]").status()).isEqualTo(400);
        assertThat(shop.viewer()
                        .post(AdminApi.PATH + "/relay/pause", "{\"reason\":\"x\"}")
                        .status())
                .isEqualTo(403);
        assertThat(get("/relay").path("paused").isNull()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "typ=x",
                "state=EVERYTHING",
                "state=NEW' OR '1'='1",
                "from=yesterday",
                "limit=0",
                "limit=201",
                "key=a&key=b",
                "key=\u0000",
                "key=a\nb",
                "to=2026-13-01T00:00:00Z"
            })
    void aHostileFilterIsRefused(String query) {
        HttpReply reply = shop.viewer().get(AdminApi.PATH + "/events?" + encoded(query));
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(400);
        assertThat(reply.text("error")).isEqualTo("bad_input");
        assertThat(reply.body().toString()).doesNotContain("OR '1'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"' OR '1'='1", "%", "_", "\\", "'; DROP TABLE waybill_outbox; --", "😀", "{}", "0x31"})
    void aHostileTextFindsNothing(String text) {
        for (String name : List.of("eventId", "key", "traceId", "type", "topic", "tag")) {
            assertThat(items("/events?" + encoded(name + "=" + text))).as(name).isEmpty();
        }
        String path = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        assertThat(shop.viewer().get(AdminApi.PATH + "/events/" + path).status())
                .isBetween(400, 404);
    }

    private static String publish(String text) {
        Event event = Event.builder("OrderCreated")
                .bizKey("ORD-1")
                .payload("\"" + text + "\"")
                .build();
        new TransactionTemplate(shop.service().bean(PlatformTransactionManager.class))
                .executeWithoutResult(
                        status -> shop.service().bean(Outbox.class).publish(event));
        return event.eventId();
    }

    /** As another relay would make it. */
    private static void die(String id, String error) {
        List<ClaimedRow> rows = store().claim(new Lease("test", Duration.ofSeconds(30)), 10, Set.of());
        assertThat(rows).extracting(ClaimedRow::eventId).containsExactly(id);
        store().settle(List.of(new Settlement.Dead(rows.get(0), error, Duration.ofMillis(1_500))));
    }

    private static OutboxStore store() {
        return shop.service().bean(OutboxStore.class);
    }

    private static JsonNode consumer(AdminShop of) {
        return of.viewer().get(AdminApi.PATH + "/consumers").data().get(0);
    }

    private static JsonNode get(String path) {
        HttpReply reply = shop.viewer().get(AdminApi.PATH + path);
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
        return reply.data();
    }

    private static List<JsonNode> items(String path) {
        return get(path).path("items").valueStream().toList();
    }

    private static HttpReply post(String path, String body) {
        HttpCalls operator = shop.operator();
        return operator.post(AdminApi.PATH + path, body);
    }

    private static String encoded(String query) {
        int equals = query.indexOf('=');
        int second = query.indexOf('&');
        if (second > 0) {
            return encoded(query.substring(0, second)) + "&" + encoded(query.substring(second + 1));
        }
        return query.substring(0, equals) + "="
                + URLEncoder.encode(query.substring(equals + 1), StandardCharsets.UTF_8);
    }
}
