package dev.waybill.starter.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.memory.MemoryBroker;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.store.JobStore;
import dev.waybill.store.JobStore.NewJob;
import dev.waybill.store.OperatorDecision;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an operator decides about dead letters: group, preview, edit, replay and discard, one or many. */
class AdminJobsTest {

    private static final String LETTERS = AdminShop.API + "/dead-letters";
    private static final Duration SOON = Duration.ofSeconds(30);

    private static AdminShop shop;

    @BeforeAll
    static void start() {
        shop = new AdminShop("waybill.admin.calls-per-minute=1000000");
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    @BeforeEach
    void empty() {
        shop.service().update("DELETE FROM waybill_dead_letter");
        shop.arrived().orders.clear();
    }

    private static long letter(String order, String error) {
        Event event = Event.of("OrderCreated", "{\"order\":\"" + order + "\"}");
        return shop.letter(new String(Envelope.encode(event, BodyFormat.ENVELOPE), StandardCharsets.UTF_8), error);
    }

    private static long letters(String state) {
        return shop.service().count("SELECT COUNT(*) FROM waybill_dead_letter WHERE state = ?", state);
    }

    private static HttpReply ended(HttpReply begun) {
        assertThat(begun.status()).as(begun.body().toString()).isEqualTo(202);
        String path = AdminShop.API + "/jobs/" + begun.id();
        await().atMost(SOON).until(() -> !shop.viewer().get(path).text("state").equals("RUNNING"));
        return shop.viewer().get(path);
    }

    private static String state(long id) {
        return shop.viewer()
                .get(LETTERS + "/" + id)
                .data()
                .path("letter")
                .path("state")
                .asString();
    }

    @Test
    void aGroupOfErrorsIsFoundPreviewedAndReplayed() {
        long one = letter("A", "no stock in row 17");
        long two = letter("B", "no stock in row 4711");
        long other = letter("C", "no address");
        HttpReply groups = shop.viewer().get(LETTERS + "/groups");
        assertThat(groups.data().path("groups")).hasSize(2);
        assertThat(groups.data().path("groups").get(0).path("errorGroup").asString())
                .isEqualTo("no stock in row #");
        assertThat(groups.data().path("groups").get(0).path("letters").asLong()).isEqualTo(2);
        String choice = "{\"filter\":{\"source\":\"ORDERS\"},\"errorGroup\":\"no stock in row #\"}";
        HttpReply preview = shop.operator().post(LETTERS + "/preview", choice);
        assertThat(preview.number("letters")).isEqualTo(2);
        assertThat(preview.number("forgotten")).isZero();

        HttpReply end = ended(shop.operator()
                .post(LETTERS + "/replay", "{\"choice\":" + choice + ",\"reason\":\"restocked\",\"perSecond\":100}"));

        assertThat(end.text("state")).isEqualTo("FINISHED");
        assertThat(end.number("done")).isEqualTo(2);
        assertThat(end.text("actor")).isEqualTo("olga");
        await().atMost(SOON).until(() -> shop.arrived().orders.size() == 2);
        assertThat(state(one)).isEqualTo("REPLAYED");
        assertThat(state(two)).isEqualTo("REPLAYED");
        assertThat(state(other)).isEqualTo("OPEN");
        assertThat(shop.service()
                        .count(
                                "SELECT COUNT(*) FROM waybill_audit WHERE action = 'REPLAY' AND actor = 'olga'"
                                        + " AND reason = 'restocked' AND letter_id IN (?, ?)",
                                one,
                                two))
                .isEqualTo(2);
    }

    @Test
    void aMendedBodyIsWhatArrives() {
        long id = letter("WRONG", "cannot be read");
        String path = LETTERS + "/" + id;
        String body = shop.viewer()
                .get(path)
                .data()
                .path("body")
                .path("content")
                .asString()
                .replace("WRONG", "RIGHT");
        String edit = JsonMapper.builder()
                .build()
                .writeValueAsString(java.util.Map.of(
                        "body", java.util.Map.of("encoding", "TEXT", "content", body), "reason", "a slip"));
        HttpReply edited = shop.operator()
                .send(shop.operator()
                        .request(path + "/body")
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(edit)));
        assertThat(edited.data().path("body").path("content").asString()).isEqualTo(body);
        ended(shop.operator().post(LETTERS + "/replay", "{\"choice\":{\"ids\":[" + id + "]},\"reason\":\"mended\"}"));
        await().atMost(SOON).until(() -> shop.arrived().orders.equals(java.util.List.of("{\"order\":\"RIGHT\"}")));
        HttpReply again = shop.operator()
                .send(shop.operator()
                        .request(path + "/body")
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(edit)));
        assertThat(again.status()).isEqualTo(409);
    }

    @Test
    void whatCannotBeReplayedIsNamed() {
        long forgotten = letter("OLD", "old");
        shop.service()
                .update("UPDATE waybill_dead_letter SET dead_at = dead_at - INTERVAL '15' DAY WHERE id = ?", forgotten);
        long unknownSource = shop.letter("ELSEWHERE", new byte[0], "not ours");
        String ids = "[" + forgotten + "," + unknownSource + ",424242]";
        HttpReply end = ended(
                shop.operator().post(LETTERS + "/replay", "{\"choice\":{\"ids\":" + ids + "},\"reason\":\"try\"}"));
        assertThat(end.number("refused")).isEqualTo(3);
        String refused = shop.viewer()
                .get(AdminShop.API + "/jobs/" + end.id() + "/refused")
                .body()
                .toString();
        assertThat(refused).contains("older than the inbox remembers", "no subscription", "there is no such letter");
        HttpReply yes = ended(shop.operator()
                .post(
                        LETTERS + "/replay",
                        "{\"choice\":{\"ids\":[" + forgotten + "]},\"reason\":\"sure\",\"olderThanInbox\":true}"));
        assertThat(yes.number("done")).isEqualTo(1);
        assertThat(state(forgotten)).isEqualTo("REPLAYED");
        for (String verb : new String[] {"/replay", "/discard"}) {
            HttpReply again = ended(shop.operator()
                    .post(LETTERS + verb, "{\"choice\":{\"ids\":[" + forgotten + "]},\"reason\":\"it went nowhere\"}"));
            assertThat(again.number("done")).as("nothing was sent").isZero();
            assertThat(again.number("refused")).isEqualTo(1);
        }
    }

    @Test
    void aJobIsCanceledAndTheRestStays() {
        for (int i = 0; i < 200; i++) {
            letter("SLOW-" + i, "slow");
        }
        HttpReply begun = shop.operator()
                .post(LETTERS + "/replay", "{\"choice\":{\"filter\":{}},\"reason\":\"all\",\"perSecond\":2}");
        String path = AdminShop.API + "/jobs/" + begun.id();
        await().atMost(SOON).until(() -> shop.viewer().get(path).number("done") > 0);
        assertThat(shop.operator().post(path + "/cancel", "{}").status()).isEqualTo(400);
        assertThat(shop.operator()
                        .post(path + "/cancel", "{\"reason\":\"too slow\"}")
                        .text("state"))
                .isEqualTo("CANCELED");
        assertThat(shop.operator()
                        .post(path + "/cancel", "{\"reason\":\"again\"}")
                        .status())
                .isEqualTo(409);
        // what is being worked off while the cancel comes is done and counted a moment later
        await().during(Duration.ofSeconds(1)).atMost(SOON).untilAsserted(() -> {
            long done = shop.viewer().get(path).number("done");
            assertThat(letters("REPLAYED")).isEqualTo(done);
            assertThat(letters("OPEN") + done)
                    .as("each is either done or as it was")
                    .isEqualTo(200);
        });
        assertThat(letters("OPEN")).isPositive();
        assertThat(shop.viewer()
                        .get(AdminShop.API + "/jobs")
                        .data()
                        .path("items")
                        .get(0)
                        .path("id")
                        .asLong())
                .isEqualTo(begun.id());
    }

    @Test
    void theJobsOfAnotherApplicationInTheSameDatabaseAreNotShownAndNotCanceled() {
        JobStore store = shop.service().bean(JobStore.class);
        long other = store.create(
                        new NewJob("another", "replay-letters", "", 50, new OperatorDecision("ann", "mended")),
                        List.of("1"))
                .id();
        String path = AdminShop.API + "/jobs/" + other;
        assertThat(shop.viewer().get(path).status()).isEqualTo(404);
        assertThat(shop.viewer().get(path + "/refused").status()).isEqualTo(404);
        assertThat(shop.operator()
                        .post(path + "/cancel", "{\"reason\":\"not ours\"}")
                        .status())
                .isEqualTo(404);
        assertThat(store.find(other).orElseThrow().state()).isEqualTo(JobStore.State.RUNNING);
        for (JsonNode listed : shop.viewer().get(AdminShop.API + "/jobs").data().path("items")) {
            assertThat(listed.path("id").asLong()).isNotEqualTo(other);
        }
    }

    @Test
    void aJobWaitsForTheBrokerAndSaysSo() {
        letter("PATIENT", "x");
        MemoryBroker broker = shop.service().bean(MemoryBroker.class);
        broker.goDown();
        try {
            HttpReply begun = shop.operator()
                    .post(LETTERS + "/replay", "{\"choice\":{\"filter\":{}},\"reason\":\"while it is away\"}");
            String path = AdminShop.API + "/jobs/" + begun.id();
            await().atMost(SOON)
                    .until(() -> shop.viewer().get(path).text("note").contains("the broker is down"));
            assertThat(shop.viewer().get(path).text("state")).isEqualTo("RUNNING");
            broker.comeUp();
            HttpReply end = ended(begun);
            assertThat(end.number("done")).isEqualTo(1);
            assertThat(end.data().path("note").isNull()).isTrue();
        } finally {
            broker.comeUp();
        }
    }

    @Test
    void lettersAreDiscardedWithAReason() {
        long id = letter("GONE", "hopeless");
        HttpReply end = ended(shop.operator()
                .post(LETTERS + "/discard", "{\"choice\":{\"ids\":[" + id + "]},\"reason\":\"nobody wants it\"}"));
        assertThat(end.number("done")).isEqualTo(1);
        assertThat(state(id)).isEqualTo("DISCARDED");
        assertThat(shop.service()
                        .count("SELECT COUNT(*) FROM waybill_audit WHERE action = 'DISCARD' AND letter_id = ?", id))
                .isEqualTo(1);
    }

    @Test
    void deadRowsAreGroupedRequeuedAndDiscarded() {
        for (String id : new String[] {"bad-1", "bad-2"}) {
            shop.service()
                    .update(
                            "INSERT INTO waybill_outbox (event_id, event_type, occurred_at, headers, payload)"
                                    + " VALUES (?, 'OrderCreated', CURRENT_TIMESTAMP, 'not json', '{}')",
                            id);
        }
        String path = AdminShop.API + "/dead-events";
        await().atMost(SOON)
                .until(() -> shop.viewer().get(path).data().path("items").size() == 2);
        HttpReply groups = shop.viewer().get(path + "/groups");
        assertThat(groups.data().path("groups")).hasSize(1);
        String group = groups.data().path("groups").get(0).path("errorGroup").asString();
        assertThat(edit(path + "/bad-1/payload", "{\"payload\":\"{}\",\"reason\":\"a slip\"}")
                        .status())
                .as("a row that cannot be read")
                .isEqualTo(404);
        shop.service().update("UPDATE waybill_outbox SET headers = '{}' WHERE event_id = 'bad-1'");
        assertThat(edit(path + "/bad-1/payload", "{\"payload\":\"no JSON\",\"reason\":\"a slip\"}")
                        .status())
                .isEqualTo(400);
        assertThat(edit(path + "/bad-1/payload", "{\"payload\":\"{\\\"mended\\\":1}\",\"reason\":\"a slip\"}")
                        .status())
                .isEqualTo(200);
        HttpReply requeued = ended(shop.operator()
                .post(
                        path + "/requeue",
                        "{\"choice\":{\"ids\":[\"bad-1\",\"unknown\"]},\"reason\":\"headers mended\"}"));
        assertThat(requeued.number("done")).isEqualTo(1);
        assertThat(requeued.number("refused")).isEqualTo(1);
        await().atMost(SOON).until(() -> shop.arrived().orders.equals(java.util.List.of("{\"mended\":1}")));
        HttpReply discarded = ended(shop.operator()
                .post(
                        path + "/discard",
                        JsonMapper.builder()
                                .build()
                                .writeValueAsString(java.util.Map.of(
                                        "choice", java.util.Map.of("errorGroup", group), "reason", "hopeless"))));
        assertThat(discarded.number("done")).isEqualTo(1);
        assertThat(shop.viewer().get(path).data().path("items")).isEmpty();
        assertThat(shop.operator()
                        .post(path + "/discard", "{\"choice\":{},\"reason\":\"all\"}")
                        .status())
                .isEqualTo(400);
        assertThat(shop.service()
                        .count("SELECT COUNT(*) FROM waybill_audit WHERE event_id LIKE 'bad-%' AND actor = 'olga'"))
                .as("one edited, one requeued, one discarded")
                .isEqualTo(3);
    }

    @Test
    void deadRowsBehindTheOldestThousandAreChosenByTheirType() {
        String dead =
                "INSERT INTO waybill_outbox (event_id, event_type, occurred_at, created_at, payload, status, attempts,"
                        + " due_at, last_error) SELECT CONCAT(?, x), ?, CURRENT_TIMESTAMP, TIMESTAMP '2026-01-01 00:00:00', '{}', 'DEAD',"
                        + " 1, TIMESTAMP WITH TIME ZONE '9998-12-31 00:00:00+00', 'no route' FROM SYSTEM_RANGE(1, ?)";
        shop.service().update(dead, "a-", "Old", 1_005);
        shop.service().update(dead, "z-", "New", 3);
        String path = AdminShop.API + "/dead-events";
        HttpReply groups = shop.viewer().get(path + "/groups");
        assertThat(groups.data().path("complete").asBoolean()).isTrue();
        assertThat(groups.data().path("groups").get(0).path("events").asLong()).isEqualTo(1_005);
        assertThat(groups.data().path("groups").get(1).path("events").asLong()).isEqualTo(3);

        HttpReply end = ended(shop.operator()
                .post(path + "/discard", "{\"choice\":{\"eventType\":\"New\"},\"reason\":\"nobody wants it\"}"));

        assertThat(end.number("done")).isEqualTo(3);
        assertThat(shop.service().update("DELETE FROM waybill_outbox WHERE event_type = 'Old'"))
                .isEqualTo(1_005);
    }

    private static HttpReply edit(String path, String request) {
        return shop.operator()
                .send(shop.operator()
                        .request(path)
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(request)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"reason\":\"all of them\"}",
                "{\"reason\":\"r\",\"choice\":{}}",
                "{\"reason\":\"r\",\"choice\":{\"filter\":{\"sorce\":\"ORDERS\"}}}",
                "{\"reason\":\"r\",\"choice\":{\"filtre\":{}}}",
                "{\"reason\":\"r\",\"choice\":{\"ids\":[1],\"filter\":{}}}",
                "{\"reason\":\"r\",\"choice\":{\"ids\":[0]}}",
                "{\"reason\":\"r\",\"choice\":{\"ids\":[\"1 OR 1=1\"]}}",
                "{\"reason\":\" \",\"choice\":{\"filter\":{}}}",
                "{\"choice\":{\"filter\":{}}}",
                "{\"reason\":\"r\",\"choice\":{\"filter\":{}},\"perSecond\":0}",
                "{\"reason\":\"r\",\"choice\":{\"filter\":{}},\"persecond\":1}",
                "{\"reason\":\"r\",\"choice\":{\"filter\":{\"from\":\"yesterday\"}}}",
                "[]",
                "not json"
            })
    void aDecisionThatIsNotClearIsRefused(String request) {
        long id = letter("STAYS", "x");
        for (String verb : new String[] {"/replay", "/discard"}) {
            HttpReply reply = shop.operator().post(LETTERS + verb, request);
            assertThat(reply.status()).as(reply.body().toString()).isEqualTo(400);
            assertThat(reply.text("error")).isEqualTo("bad_input");
        }
        assertThat(state(id)).isEqualTo("OPEN");
    }
}
