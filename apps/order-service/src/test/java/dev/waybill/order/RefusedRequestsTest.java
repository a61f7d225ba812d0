package dev.waybill.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.order.running.RealOrders;
import dev.waybill.order.running.RunningOrders;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.CapturedLog;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.ReplyAssertions;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a caller may not do: the standard answer, nothing written, nothing forged. */
@Servers({Server.MARIADB, Server.REDIS})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusedRequestsTest {

    private static final int MOST_LINES = 200;
    private static final int MOST_OF_ONE = 999_999;
    private static final BigDecimal HIGHEST_PRICE = new BigDecimal("9999999.99");
    private static final String GOOD = "{\"skuId\":1,\"quantity\":1,\"price\":1}";

    private RunningOrders orders;
    private long rowsBefore;

    @BeforeAll
    void start(MariaDb mariaDb, Redis redis) {
        orders = RunningOrders.start(RealOrders.onDatabase(mariaDb.freshDatabase())
                .redis(redis.url())
                .set("waybill.broker", "memory"));
        orders.newOrder();
    }

    @AfterAll
    void stop() {
        orders.close();
    }

    @BeforeEach
    void countRows() {
        rowsBefore = orders.rowsInAll();
    }

    private void assertRefused(HttpReply reply, int status, String code) {
        ReplyAssertions.assertRefused(reply, status, code);
        assertThat(orders.rowsInAll()).isEqualTo(rowsBefore);
    }

    private static String withItems(String items) {
        return RunningOrders.body(UUID.randomUUID().toString(), 10001, items);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "7",
                "not json",
                "{\"clientRequestId\":\"a\",\"userId\":1,\"items\":[",
                "{\"clientRequestId\":\"a\",\"userId\":1,\"userId\":2,\"items\":[{\"skuId\":1,\"quantity\":1,\"price\":1}]}",
                "{\"clientRequestId\":\"a\",\"userId\":1,\"items\":[{\"skuId\":1,\"quantity\":1,\"price\":1}]} {}",
                "{\"clientRequestId\":\"a\",\"userId\":1,\"status\":\"CANCELED\",\"items\":[{\"skuId\":1,\"quantity\":1,\"price\":1}]}",
                "{\"clientRequestId\":\"a\",\"userId\":1,\"amount\":0.01,\"items\":[{\"skuId\":1,\"quantity\":1,\"price\":1}]}",
                "{\"clientRequestId\":\"a\",\"userId\":1,\"items\":[{\"skuId\":1,\"quantity\":1,\"price\":1,\"discount\":1}]}",
                "{\"clientRequestId\":\"a\",\"userId\":1,\"items\":{\"skuId\":1,\"quantity\":1,\"price\":1}}",
                "{\"clientRequestId\":\"a\",\"userId\":\"1\",\"items\":[{\"skuId\":1,\"quantity\":1,\"price\":1}]}",
                "{\"clientRequestId\":\"a\",\"userId\":9223372036854775808,\"items\":[{\"skuId\":1,\"quantity\":1,\"price\":1}]}",
                "{\"clientRequestId\":[\"a\"],\"userId\":1,\"items\":[{\"skuId\":1,\"quantity\":1,\"price\":1}]}",
            })
    void aBodyOfAnotherShapeIsRefused(String body) {
        assertRefused(orders.post("/orders", body), 400, "A0400");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1000000", "2147483648", "-2147483649", "1.5", "1e2", "\"2\"", "true", "null"})
    void aQuantityOutsideItsLimitsIsRefused(String quantity) {
        assertRefused(
                orders.post("/orders", withItems("{\"skuId\":1,\"quantity\":" + quantity + ",\"price\":1}")),
                400,
                "A0400");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-0.01",
                "10000000",
                "9999999.995",
                "0.001",
                "1E+999999999",
                "1E-999999999",
                "-1E+2147483647",
                "NaN",
                "Infinity",
                "\"9.99\"",
                "\"\"",
                "null",
                "[]"
            })
    void aPriceOutsideItsLimitsIsRefused(String price) {
        assertRefused(
                orders.post("/orders", withItems("{\"skuId\":1,\"quantity\":1,\"price\":" + price + "}")),
                400,
                "A0400");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                                                          | items",
                "null                                                                        | items[0]",
                "{\"skuId\":0,\"quantity\":1,\"price\":1}                                    | items[0].skuId",
                "{\"quantity\":1,\"price\":1}                                                | items[0].skuId",
                "{\"skuId\":1,\"price\":1}                                                   | items[0].quantity",
                "{\"skuId\":1,\"quantity\":1}                                                | items[0].price",
                "{\"skuId\":1,\"quantity\":1,\"price\":-1}                                   | items[0].price",
                "{\"skuId\":1,\"warehouseId\":0,\"quantity\":1,\"price\":1}                  | items[0].warehouseId",
                "{\"skuId\":-1,\"quantity\":1,\"price\":1}                                   | items[0].skuId",
                "{\"skuId\":1.5,\"quantity\":1,\"price\":1}                                  | items[0].skuId",
                "{\"skuId\":true,\"quantity\":1,\"price\":1}                                 | items[0].skuId",
                "{\"skuId\":[],\"quantity\":1,\"price\":1}                                   | items[0].skuId",
                "{\"skuId\":18446744073709551616,\"quantity\":1,\"price\":1}                 | items[0].skuId",
                "{\"skuId\":\"\",\"quantity\":1,\"price\":1}                                 | items[0].skuId",
                "{\"skuId\":\"1 OR 1=1\",\"quantity\":1,\"price\":1}                         | items[0].skuId",
                "{\"skuId\":\"inv:1:2\",\"quantity\":1,\"price\":1}                          | items[0].skuId",
            })
    void theAnswerNamesTheFieldAndTheRule(String items, String field) {
        HttpReply refused = orders.post("/orders", withItems(items));
        assertRefused(refused, 400, "A0400");
        assertThat(refused.field()).isEqualTo(field);
        assertThat(refused.data().path("rule").asString()).isNotBlank();
    }

    @Test
    void usersAndItemsThatAreMissingOrNegativeAreRefused() {
        assertThat(orders.post("/orders", RunningOrders.body("a", -1, GOOD)).field())
                .isEqualTo("userId");
        assertThat(orders.post("/orders", "{\"clientRequestId\":\"a\",\"items\":[" + GOOD + "]}")
                        .field())
                .isEqualTo("userId");
        assertThat(orders.post("/orders", "{\"clientRequestId\":\"a\",\"userId\":1}")
                        .field())
                .isEqualTo("items");
        assertRefused(orders.post("/orders", "{\"userId\":10001,\"items\":[" + GOOD + "]}"), 400, "A0403");
    }

    @Test
    void hugeBasketsAreRefusedHoweverLarge() {
        for (int lines : new int[] {MOST_LINES + 1, 5_000}) {
            assertRefused(orders.post("/orders", withItems(lines(lines, "1", "1"))), 400, "A0400");
        }
        assertRefused(orders.post("/orders", withItems(lines(200_000, "1", "1"))), 413, "A0400");
        assertRefused(orders.post("/orders", "[".repeat(100_000)), 400, "A0400");
        String endless = withItems("{\"skuId\":1,\"quantity\":1,\"price\":" + "1".repeat(100_000) + "}");
        assertRefused(orders.post("/orders", endless), 400, "A0400");
    }

    @Test
    void aBasketAtEveryLimitIsTakenAndItsSumIsExact() {
        int quantity = MOST_OF_ONE;
        HttpReply created = orders.post(
                "/orders", withItems(lines(MOST_LINES, String.valueOf(quantity), HIGHEST_PRICE.toString())));
        assertThat(created.code()).isEqualTo("00000");
        BigDecimal expected = HIGHEST_PRICE.multiply(BigDecimal.valueOf((long) quantity * MOST_LINES));
        assertThat(created.data().path("amount").decimalValue()).isEqualTo(expected);
        HttpReply read = orders.get("/orders/" + created.orderNo());
        assertThat(read.data()).isEqualTo(created.data());
        assertThat(orders.events(created.orderNo(), "ORDER_CREATED")).isEqualTo(1);
    }

    @Test
    void tenTimesTenCentsIsOneAndNothingElse() {
        HttpReply created = orders.post("/orders", withItems("{\"skuId\":1,\"quantity\":10,\"price\":0.10}"));
        assertThat(created.data().path("amount").decimalValue()).isEqualTo("1.00");
    }

    private static String lines(int count, String quantity, String price) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(sku -> "{\"skuId\":\"" + "S".repeat(44) + (Long.MAX_VALUE - sku) + "\",\"warehouseId\":"
                        + Long.MAX_VALUE + ",\"quantity\":" + quantity + ",\"price\":" + price + "}")
                .collect(Collectors.joining(","));
    }

    @Test
    void sqlIsTextLikeAnyOther() {
        String request = "x');DROP/**/TABLE/**/t_order;--" + UUID.randomUUID();
        HttpReply created = orders.create(request, 10001);
        assertThat(created.code()).isEqualTo("00000");
        assertThat(orders.rows("SELECT client_request_id FROM t_order WHERE order_no = ?", created.orderNo()))
                .containsExactly(Map.of("client_request_id", request));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "' OR '1'='1",
                "ORD209901010000000000000",
                "ORD209901010000000000000' OR '1'='1",
                "ord209901010000000000000",
                "一二三",
            })
    void aNumberThatNamesNoOrderIsNotFound(String orderNo) {
        String path =
                "/orders/" + URLEncoder.encode(orderNo, StandardCharsets.UTF_8).replace("+", "%20");
        assertRefused(orders.get(path), 404, "NOT_FOUND");
        assertRefused(orders.get(path + "/flow"), 404, "NOT_FOUND");
        assertRefused(orders.cancel(path.substring("/orders/".length())), 404, "NOT_FOUND");
    }

    /** Before any handler is asked: an escaped percent sign or a line break can only be meant to deceive somebody. */
    @ParameterizedTest
    @ValueSource(strings = {"ORD2099010100000000000%2500", "%0D%0A2099-01-01%20FORGED"})
    void aPathThatHidesCharactersIsRefused(String escaped) {
        assertRefused(orders.get("/orders/" + escaped), 400, "A0400");
        assertRefused(orders.cancel(escaped), 400, "A0400");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "userId=",
                "userId=0",
                "userId=1%20OR%201=1",
                "userId=1&page=0",
                "userId=1&page=-1",
                "userId=1&page=2147483648",
                "userId=1&size=0",
                "userId=1&size=101",
                "userId=1&size=1;DROP"
            })
    void aListWithOddNumbersIsRefused(String query) {
        assertRefused(orders.get("/orders?" + query), 400, "A0400");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\\nb", "a\\r\\n2099-01-01 FORGED", "a b", "ключ", "\\u0000", "\\ud800"})
    void aRequestIdOfOddCharactersIsRefused(String request) {
        assertRefused(orders.post("/orders", RunningOrders.body(request, 10001)), 400, "A0400");
    }

    @Test
    void aRequestIdThatIsTooLongIsRefusedAndTheLongestIsTaken() {
        assertRefused(orders.create("a".repeat(129), 10001), 400, "A0400");
        assertThat(orders.create("a".repeat(128), 10001).code()).isEqualTo("00000");
    }

    @Test
    void otherKindsOfBodiesAndMethodsHaveTheSameShape() {
        assertRefused(
                orders.send(orders.request("/orders")
                        .header("Content-Type", "text/plain")
                        .POST(BodyPublishers.ofString("x"))),
                415,
                "A0400");
        assertRefused(orders.send(orders.request("/orders").DELETE()), 405, "A0400");
        assertRefused(orders.get("/order"), 404, "NOT_FOUND");
    }

    @Test
    void nothingOfACallersTextReachesTheLog() {
        try (CapturedLog log = new CapturedLog()) {
            orders.post("/orders", RunningOrders.body("a\\n2099-01-01 00:00:00.000 FORGED", 10001));
            orders.post("/orders", withItems("{\"skuId\":1,\"quantity\":1,\"price\":\"FORGED\"}"));
            orders.post("/orders", "{\"FORGED\\n\":1}");
            orders.get("/orders/%0D%0AFORGED");
            orders.get("/orders?userId=%0AFORGED");
            HttpReply taken = orders.post(
                    "/orders", RunningOrders.body("FORGED" + UUID.randomUUID(), 10001), "X-Trace-Id", "FORGED x");
            await().atMost(RealOrders.PATIENCE)
                    .until(() -> log.lines().stream()
                            .anyMatch(line ->
                                    line.contains(taken.orderNo()))); // its event was sent: the last line of all
            assertThat(log.lines()).noneMatch(line -> line.contains("FORGED"));
        }
    }

    @AfterEach
    void theServiceGoesOn() {
        assertThat(orders.create(UUID.randomUUID().toString(), 10001).code()).isEqualTo("00000");
    }
}
