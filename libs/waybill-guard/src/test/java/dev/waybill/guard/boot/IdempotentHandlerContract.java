package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.running.HttpReply;
import dev.waybill.guard.running.Orders;
import dev.waybill.guard.running.Service;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a caller of an idempotent handler sees, whichever store is behind it. */
interface IdempotentHandlerContract {

    String KEY = "X-Idempotency-Key";

    Service service();

    static String fresh() {
        return UUID.randomUUID().toString();
    }

    static String item(String sku, int quantity) {
        return "{\"clientRequestId\":\"c-" + sku + "\",\"sku\":\"" + sku + "\",\"quantity\":" + quantity + "}";
    }

    private static void assertRefused(HttpReply reply, int status, String code) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.code()).isEqualTo(code);
    }

    private static void awaitRuns(String sku, int runs) {
        Awaitility.await().until(() -> Orders.runs(sku) >= runs);
    }

    @Test
    default void ofTwoHundredThreadsOnOneKeyOneRuns() {
        String sku = fresh();
        CountDownLatch gate = Orders.gate(sku);
        List<CompletableFuture<HttpReply>> replies = IntStream.range(0, 200)
                .mapToObj(i -> service().postLater("/answer", item(sku, 1), KEY, sku, "X-Trace-Id", "t-" + i))
                .toList();
        awaitRuns(sku, 1);
        Awaitility.await()
                .until(() -> replies.stream().filter(CompletableFuture::isDone).count() >= 100);
        gate.countDown();
        List<HttpReply> all = replies.stream().map(CompletableFuture::join).toList();
        assertThat(Orders.runs(sku)).isEqualTo(1);
        Set<String> results = all.stream()
                .filter(r -> r.status() == 200)
                .map(HttpReply::rawData)
                .collect(Collectors.toSet());
        assertThat(results).hasSize(1);
        all.stream().filter(reply -> reply.status() != 200).forEach(reply -> {
            assertRefused(reply, 409, "A0401");
            assertThat(reply.message()).isEqualTo("请求处理中,请勿重复提交");
            assertThat(reply.data().isNull()).isTrue();
        });
        List<CompletableFuture<HttpReply>> later = IntStream.range(0, 200)
                .mapToObj(i -> service().postLater("/answer", item(sku, 1), KEY, sku, "X-Trace-Id", "later-" + i))
                .toList();
        for (int i = 0; i < later.size(); i++) {
            HttpReply reply = later.get(i).join();
            assertThat(results).contains(reply.rawData());
            assertThat(reply.code()).isEqualTo("00000");
            assertThat(reply.traceId()).isEqualTo("later-" + i).isEqualTo(reply.header("X-Trace-Id"));
        }
        assertThat(Orders.runs(sku)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/answer",
                "/generic",
                "/list",
                "/text",
                "/nothing",
                "/number",
                "/future",
                "/callable",
                "/waiting"
            })
    default void everyKindOfResultIsRepeatedByteForByte(String path) {
        String sku = fresh();
        HttpReply first = service().post(path, item(sku, 1), KEY, sku);
        assertThat(first.status()).as(first.body()).isBetween(200, 201);
        HttpReply repeat = service().post(path, item(sku, 1), KEY, sku);
        assertThat(repeat.rawData()).isEqualTo(first.rawData());
        assertThat(repeat.status()).isEqualTo(first.status());
        assertThat(repeat.header("Content-Type")).isEqualTo(first.header("Content-Type"));
        assertThat(repeat.traceId()).isNotEqualTo(first.traceId());
        assertThat(Orders.runs(sku)).isEqualTo(1);
    }

    @Test
    default void polymorphicGenericsKeepTheirTypes() {
        String sku = fresh();
        HttpReply first = service().post("/generic", item(sku, 1), KEY, sku);
        assertThat(first.data().get("rows").get(0).get("kind").asString()).isEqualTo("card");
        assertThat(first.rawData()).contains("\"first\":{\"kind\":\"cash\",\"amount\":10.50}");
    }

    @Test
    default void aRepeatWaitsWhereTheHandlerSaysSo() {
        String sku = fresh();
        CountDownLatch gate = Orders.gate(sku);
        CompletableFuture<HttpReply> first = service().postLater("/waiting", item(sku, 1), KEY, sku);
        awaitRuns(sku, 1);
        CompletableFuture<HttpReply> second = service().postLater("/waiting", item(sku, 1), KEY, sku);
        gate.countDown();
        assertThat(second.join().rawData()).isEqualTo(first.join().rawData());
        assertThat(Orders.runs(sku)).isEqualTo(1);
    }

    @Test
    default void theSameKeyWithAnotherRequestIsRefused() {
        String sku = fresh();
        HttpReply first = service().post("/answer", item(sku, 1), KEY, sku);
        assertRefused(service().post("/answer", item(sku, 2), KEY, sku), 422, "A0402");
        assertRefused(service().post("/answer?x=1", item(sku, 1), KEY, sku), 422, "A0402");
        assertRefused(service().post("/answer", item(sku, 1) + " ", KEY, sku), 422, "A0402");
        assertThat(service().post("/answer", item(sku, 1), KEY, sku).rawData()).isEqualTo(first.rawData());
        assertThat(Orders.runs(sku)).isEqualTo(1);
    }

    @Test
    default void aBodyThatTheHandlerDoesNotDeclareCountsToo() {
        String sku = fresh();
        assertThat(service().post("/no-body?sku=" + sku, "{}", KEY, sku).status())
                .isEqualTo(200);
        assertThat(service().post("/no-body?sku=" + sku, "{}", KEY, sku).status())
                .isEqualTo(200);
        assertRefused(service().post("/no-body?sku=" + sku, "{\"a\":1}", KEY, sku), 422, "A0402");
        HttpRequest.Builder form = service()
                .request("/no-body")
                .POST(HttpRequest.BodyPublishers.ofString("sku=" + sku))
                .headers(KEY, sku + "-form", "Content-Type", "application/x-www-form-urlencoded");
        assertThat(service().send(form).status()).isEqualTo(200);
        HttpRequest.Builder other = service()
                .request("/no-body")
                .POST(HttpRequest.BodyPublishers.ofString("sku=" + sku + "&x=y"))
                .headers(KEY, sku + "-form", "Content-Type", "application/x-www-form-urlencoded");
        assertRefused(service().send(other), 422, "A0402");
    }

    @Test
    default void aKeyIsNeededAndMustBePlain() {
        assertRefused(service().post("/answer", item(fresh(), 1)), 400, "A0403");
        assertRefused(service().post("/answer", item(fresh(), 1), KEY, " "), 400, "A0403");
        assertRefused(service().post("/answer", item(fresh(), 1), KEY, "a b"), 400, "A0400");
        assertRefused(service().post("/answer", item(fresh(), 1), KEY, "k".repeat(129)), 400, "A0400");
        assertRefused(service().post("/answer", item(fresh(), 1), KEY, "a", "Idempotency-Key", "b"), 400, "A0400");
        assertRefused(service().post("/by-argument", "{\"sku\":\"x\",\"quantity\":1}"), 400, "A0403");
        assertRefused(
                service().post("/by-argument", "{\"sku\":\"x\",\"quantity\":1,\"clientRequestId\":\"a\\u0000\"}"),
                400,
                "A0400");
    }

    @Test
    default void theKeyComesFromEitherHeaderOrAnArgument() {
        String sku = fresh();
        HttpReply first = service().post("/answer", item(sku, 1), KEY, sku);
        assertThat(service()
                        .post("/answer", item(sku, 1), "Idempotency-Key", "\"" + sku + "\"")
                        .rawData())
                .isEqualTo(first.rawData());
        String other = fresh();
        HttpReply byArgument = service().post("/by-argument", item(other, 1), KEY, "ignored");
        assertThat(service().post("/by-argument", item(other, 1)).rawData()).isEqualTo(byArgument.rawData());
        String third = fresh();
        HttpReply byHeader = service().post("/header-first", item(third, 1), KEY, third);
        assertThat(service().post("/header-first", item(third, 1), KEY, third).rawData())
                .isEqualTo(byHeader.rawData());
        assertThat(service().post("/header-first", item(third, 1)).rawData()).isNotEqualTo(byHeader.rawData());
        assertRefused(
                service().send(service().request("/header-first").POST(HttpRequest.BodyPublishers.noBody())),
                400,
                "A0403");
    }

    @Test
    default void aFailedRunFreesTheKey() {
        String sku = fresh();
        assertRefused(service().post("/failing", item(sku, 2), KEY, sku), 409, "STATE_INVALID");
        assertRefused(service().post("/failing", item(sku, 2), KEY, sku), 409, "STATE_INVALID");
        HttpReply third = service().post("/failing", item(sku, 2), KEY, sku);
        assertThat(third.status()).isEqualTo(200);
        assertThat(service().post("/failing", item(sku, 2), KEY, sku).rawData()).isEqualTo(third.rawData());
        assertThat(Orders.runs(sku)).isEqualTo(3);
        String later = fresh();
        assertRefused(service().post("/future", item(later, -1), KEY, later), 409, "STATE_INVALID");
        assertRefused(service().post("/future", item(later, -1), KEY, later), 409, "STATE_INVALID");
    }

    @Test
    default void anAnswerThatCannotBeWrittenIsAFailureToTheCallerAndARepeatGetsTheResult() {
        String sku = fresh();
        assertRefused(service().post("/answer", item(sku, 1), KEY, sku, "Accept", "text/csv"), 406, "A0400");
        assertThat(service()
                        .post("/answer", item(sku, 1), KEY, sku)
                        .data()
                        .get("sku")
                        .asString())
                .isEqualTo(sku);
        assertThat(Orders.runs(sku)).isEqualTo(1);
    }

    @Test
    default void aDeedWhoseAnswerCannotBeMadeIsNotDoneAgain() {
        String sku = fresh();
        assertRefused(service().post("/unwritable", item(sku, 1), KEY, sku), 500, "B0001");
        assertRefused(service().post("/unwritable", item(sku, 1), KEY, sku), 409, "A0404");
        assertThat(Orders.runs(sku)).isEqualTo(1);
    }

    @Test
    default void onlySuccessIsStored() {
        String created = fresh();
        HttpReply first = service().post("/entity", item(created, 201), KEY, created);
        HttpReply repeat = service().post("/entity", item(created, 201), KEY, created);
        assertThat(repeat.status()).isEqualTo(201);
        assertThat(repeat.rawData()).isEqualTo(first.rawData());
        for (int status : new int[] {301, 404, 409, 500, 503}) {
            String sku = fresh();
            service().post("/entity", item(sku, status), KEY, sku);
            assertThat(service().post("/entity", item(sku, status), KEY, sku).status())
                    .isEqualTo(status);
            assertThat(Orders.runs(sku)).isEqualTo(2);
        }
    }

    @Test
    default void aHandlersOwnCodeMessageAndStatusAreRepeated() {
        String sku = fresh();
        HttpReply first = service().post("/own-words", item(sku, 1), KEY, sku);
        HttpReply repeat = service().post("/own-words", item(sku, 1), KEY, sku);
        for (HttpReply reply : List.of(first, repeat)) {
            assertRefused(reply, 202, "P1001");
            assertThat(reply.message()).isEqualTo("售罄 😀 ?");
        }
        assertThat(repeat.rawData()).isEqualTo(first.rawData());
        assertThat(Orders.runs(sku)).isEqualTo(1);
    }

    @Test
    default void whereTheHandlerSaysWhatCountsRequestsAreComparedByIt() {
        String sku = fresh() + "😀";
        String key = fresh();
        HttpReply first = service().post("/by-meaning", item(sku, 1), KEY, key);
        String escaped = sku.replace("😀", "\\ud83d\\ude00");
        for (String same : List.of(
                "{\"quantity\":1,\"sku\":\"" + sku + "\",\"clientRequestId\":\"c-" + sku + "\"}",
                " { \"clientRequestId\" : \"c-" + sku + "\", \"sku\":\"" + escaped + "\", \"quantity\" : 1.0 } ")) {
            HttpReply repeat = service().post("/by-meaning?seen=1", same, KEY, key);
            assertThat(repeat.status()).as(repeat.body()).isEqualTo(200);
            assertThat(repeat.rawData()).isEqualTo(first.rawData());
        }
        assertRefused(service().post("/by-meaning", item(sku, 2), KEY, key), 422, "A0402");
        assertThat(Orders.runs(sku)).isEqualTo(1);
    }

    @Test
    default void aLargeResultIsRepeatedAndOneThatIsTooLargeIsNotRunAgain() {
        String large = fresh();
        HttpReply first = service().post("/large", item(large, 300_000), KEY, large);
        assertThat(service().post("/large", item(large, 300_000), KEY, large).rawData())
                .hasSizeGreaterThan(300_000)
                .isEqualTo(first.rawData());
        String sku = fresh();
        int overMegabyte = 1_100_000;
        assertThat(service().post("/large", item(sku, overMegabyte), KEY, sku).rawData())
                .hasSizeGreaterThan(overMegabyte);
        HttpReply refused = service().post("/large", item(sku, overMegabyte), KEY, sku);
        assertRefused(refused, 409, "A0404");
        assertThat(refused.message()).startsWith("该请求已处理成功");
        assertThat(service()
                        .post("/large", item(sku, overMegabyte), KEY, sku, "Accept-Language", "en")
                        .message())
                .startsWith("This request was done before");
        assertThat(Orders.runs(sku)).isEqualTo(1);
    }
}
