package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.marketplace.running.RealMarket;
import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.message.Event;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.HttpReply;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What an operator does with dead letters over HTTP, on real servers, with two processes. */
@Servers({Server.MARIADB, Server.RABBITMQ})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeadLetterTest {

    private RealMarket real;
    private RunningMarket market;
    private RunningMarket other;

    @BeforeAll
    void start(MariaDb mariaDb, RabbitMq rabbitMq) throws Exception {
        real = RealMarket.start(mariaDb, rabbitMq, "waybill.inbox.retry-delays=100ms,100ms,100ms");
        market = real.service();
        other = real.replica();
    }

    @AfterAll
    void stop() throws IOException {
        other.close();
        real.close();
    }

    @BeforeEach
    void settleAll() {
        market.update("UPDATE waybill_dead_letter SET state = 'DISCARDED'");
    }

    private static ConditionFactory soon() {
        return await().atMost(RunningMarket.PATIENCE);
    }

    private long letter() throws IOException {
        return letter("order.timeout", "hopeless");
    }

    private long letter(String routingKey, String body) throws IOException {
        String messageId = UUID.randomUUID().toString();
        real.publish(routingKey, messageId, body);
        soon().until(() ->
                market.count("SELECT COUNT(*) FROM waybill_dead_letter WHERE message_id = ?", messageId) == 1);
        return market.count("SELECT id FROM waybill_dead_letter WHERE message_id = ?", messageId);
    }

    @Test
    void twoProcessesRaiseOneAlertAndALetterThatOneOfThemReplaysClearsItOnce() throws IOException {
        soon().until(() -> real.cleared("dead-letters") == real.raised("dead-letters"));
        long before = real.raised("dead-letters");
        HttpReply order = market.newOrder();
        Event early = Event.builder("ORDER_TIMEOUT")
                .aggregate("Order", "777777")
                .payload("{\"orderId\":777777,\"orderNo\":\"%s\",\"createTime\":\"2026-02-04T10:30:00Z\"}"
                        .formatted(order.text("orderNo")))
                .build();
        real.publish("order.timeout", early);
        soon().until(() -> real.raised("dead-letters") > before);
        market.update("UPDATE orders SET id = 777777 WHERE id = ?", order.id());
        long id = market.count("SELECT id FROM waybill_dead_letter WHERE message_id = ?", early.eventId());
        assertThat(other.post("/dead-letters/" + id + "/replay").text("state")).isEqualTo("REPLAYED");
        soon().until(() -> market.consumed(early.eventId()));
        soon().until(() -> real.cleared("dead-letters") > before);
        letter();
        soon().until(() -> real.raised("dead-letters") > before + 1);
        assertThat(real.raised("dead-letters")).isEqualTo(before + 2);
        assertThat(real.cleared("dead-letters")).isEqualTo(before + 1);
    }

    @Test
    void aHopelessLetterIsDiscardedOnceAndTheAuditSaysWhoAndWhy() throws IOException {
        String path = "/dead-letters/" + letter() + "/discard";
        assertThat(market.post(path, "{}").field()).isEqualTo("reason");
        assertThat(market.post(path, "{\"reason\":\" \"}").code()).isEqualTo("A0400");
        assertThat(market.post(path, "{\"reason\":\"nobody wants it\"}").text("state"))
                .isEqualTo("DISCARDED");
        assertThat(market.post(path, "{\"reason\":\"again\"}").code()).isEqualTo("STATE_INVALID");
        assertThat(market.rows("SELECT action, actor FROM waybill_audit WHERE reason = 'nobody wants it'"))
                .singleElement()
                .satisfies(row ->
                        assertThat(row).containsEntry("action", "DISCARD").containsEntry("actor", "operator"));
        assertThat(market.get("/dead-letters").number("total")).isZero();
    }

    @Test
    void aLetterPublishedByHandIsListedAndCanBeDiscarded() throws IOException {
        long id = letter("order.dlq", "{\"by\":\"hand\"}");
        HttpReply found = market.get("/dead-letters/" + id);
        assertThat(found.data().path("letter").path("queue").asString()).isEqualTo("order.dlq.queue");
        assertThat(found.text("body")).isEqualTo("{\"by\":\"hand\"}");
        HttpReply refused = market.post("/dead-letters/" + id + "/replay");
        assertThat(refused.code()).isEqualTo("STATE_INVALID");
        assertThat(refused.data().toString()).contains("no subscription");
        assertThat(market.post("/dead-letters/" + id + "/discard", "{\"reason\":\"by hand\"}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aLetterOlderThanTheInboxRemembersIsReplayedOnlyWithAYes() throws IOException {
        long id = letter();
        market.update("UPDATE waybill_dead_letter SET dead_at = dead_at - INTERVAL 15 DAY WHERE id = ?", id);
        HttpReply refused = market.post("/dead-letters/" + id + "/replay");
        assertThat(refused.code()).isEqualTo("STATE_INVALID");
        assertThat(refused.data().toString()).contains("older than the inbox remembers");
        assertThat(market.post("/dead-letters/" + id + "/replay?olderThanInbox=yes")
                        .text("state"))
                .isEqualTo("REPLAYED");
    }

    @Test
    void aYoungLetterOfAnOldEventIsReplayed() throws IOException {
        long id = letter("order.paid", """
                {"eventId":"%s","eventType":"ORDER_PAID","aggregateType":"Order","aggregateId":1,"occurredAt":"2020-02-04T10:30:00Z","traceId":"t","payload":{}}""".formatted(UUID.randomUUID()));
        assertThat(market.post("/dead-letters/" + id + "/replay").text("state")).isEqualTo("REPLAYED");
    }

    @Test
    void idsThatNoLetterHasAreRefusedByName() throws IOException {
        long id = letter();
        HttpReply reply = market.post("/dead-letters/replay", "{\"ids\":[" + id + ",424242]}");
        assertThat(reply.data().path("replayed").get(0).asLong()).isEqualTo(id);
        assertThat(reply.data().path("refused").path("424242").asString()).isEqualTo("there is no such letter");
        assertThat(reply.data().path("more").asBoolean()).isFalse();
    }

    @Test
    void allOpenLettersAreReplayedAPieceAtATime() throws IOException {
        List<Long> ids = List.of(letter(), letter(), letter());
        HttpReply first = market.post("/dead-letters/replay?size=2");
        assertThat(replayed(first)).containsExactly(ids.get(0), ids.get(1));
        assertThat(first.data().path("more").asBoolean()).isTrue();
        HttpReply second = market.post("/dead-letters/replay?size=2&after=" + first.number("after"));
        assertThat(replayed(second)).contains(ids.get(2));
        assertThat(market.post("/dead-letters/replay?size=501").code()).isEqualTo("A0400");
    }

    private static Stream<Long> replayed(HttpReply reply) {
        return reply.data().path("replayed").valueStream().map(id -> id.asLong());
    }
}
