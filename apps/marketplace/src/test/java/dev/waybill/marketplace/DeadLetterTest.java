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
import java.util.UUID;
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

    private static final String LETTERS = "/waybill/api/dead-letters";

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

    private static void discard(RunningMarket by, long id, String reason) {
        HttpReply job =
                by.post(LETTERS + "/discard", "{\"choice\":{\"ids\":[" + id + "]},\"reason\":\"" + reason + "\"}");
        assertThat(job.status()).isEqualTo(202);
        soon().until(() -> by.get("/waybill/api/jobs/" + job.id()).text("state").equals("FINISHED"));
        assertThat(by.get(LETTERS + "/" + id)
                        .data()
                        .path("letter")
                        .path("state")
                        .asString())
                .isEqualTo("DISCARDED");
    }

    @Test
    void aHopelessLetterIsDiscardedAndTheAuditSaysWhoAndWhy() throws IOException {
        long id = letter();
        assertThat(market.post(LETTERS + "/discard", "{\"choice\":{\"ids\":[" + id + "]}}")
                        .code())
                .isEqualTo("A0400");
        discard(market, id, "nobody wants it");
        assertThat(market.rows(
                        "SELECT actor FROM waybill_audit WHERE reason = 'nobody wants it' AND action = 'DISCARD'"))
                .singleElement()
                .satisfies(row -> assertThat(row).containsEntry("actor", "operator"));
    }

    @Test
    void aLetterPublishedByHandIsListedAndCanBeDiscarded() throws IOException {
        long id = letter("order.dlq", "{\"by\":\"hand\"}");
        HttpReply found = market.get(LETTERS + "/" + id);
        assertThat(found.data().path("letter").path("source").asString()).isEqualTo("order.dlq.queue");
        assertThat(found.data().path("body").path("content").asString()).isEqualTo("{\"by\":\"hand\"}");
        HttpReply refused = market.post("/dead-letters/" + id + "/replay");
        assertThat(refused.code()).isEqualTo("STATE_INVALID");
        assertThat(refused.data().toString()).contains("no subscription");
        discard(market, id, "by hand");
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
}
