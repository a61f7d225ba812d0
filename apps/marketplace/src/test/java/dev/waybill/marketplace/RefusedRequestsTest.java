package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.servicetestkit.CapturedLog;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.ReplyAssertions;
import dev.waybill.servicetestkit.ServiceSettings;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a caller may not do: the standard answer, nothing written, nothing forged. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusedRequestsTest {

    private RunningMarket market;
    private long rowsBefore;

    @BeforeAll
    void start(@TempDir Path folder) {
        market = RunningMarket.start(ServiceSettings.embedded(folder));
        market.newOrder();
    }

    @AfterAll
    void stop() {
        market.close();
    }

    @BeforeEach
    void countRows() {
        rowsBefore = market.rowsInAll();
    }

    private void assertRefused(HttpReply reply, int status, String code) {
        ReplyAssertions.assertRefused(reply, status, code);
        assertThat(market.rowsInAll()).isEqualTo(rowsBefore);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "7",
                "not json",
                "{\"buyerId\":1,\"productId\":",
                "{\"buyerId\":1,\"buyerId\":2,\"productId\":1}",
                "{\"buyerId\":1,\"productId\":1} {}",
                "{\"buyerId\":1,\"productId\":1,\"status\":\"paid\"}",
                "{\"buyerId\":1,\"productId\":1,\"price\":0.01}",
                "{\"buyerId\":\"1\",\"productId\":1}",
                "{\"buyerId\":1.5,\"productId\":1}",
                "{\"buyerId\":9223372036854775808,\"productId\":1}",
                "{\"buyerId\":1,\"productId\":\"1 OR 1=1\"}",
                "{\"productId\":1}",
                "{\"buyerId\":1}",
                "{\"buyerId\":0,\"productId\":1}",
                "{\"buyerId\":-1,\"productId\":1}"
            })
    void anOrderOfAnotherShapeIsRefused(String body) {
        assertRefused(market.post("/orders", body), 400, "A0400");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"title\":\"a\",\"price\":1}                            | sellerId",
                "{\"sellerId\":0,\"title\":\"a\",\"price\":1}             | sellerId",
                "{\"sellerId\":1,\"price\":1}                             | title",
                "{\"sellerId\":1,\"title\":\"  \",\"price\":1}            | title",
                "{\"sellerId\":1,\"title\":\"a\\n[ALERT] b\",\"price\":1} | title",
                "{\"sellerId\":1,\"title\":\"a\"}                         | price",
                "{\"sellerId\":1,\"title\":\"a\",\"price\":0}             | price",
                "{\"sellerId\":1,\"title\":\"a\",\"price\":-1}            | price",
                "{\"sellerId\":1,\"title\":\"a\",\"price\":0.001}         | price",
                "{\"sellerId\":1,\"title\":\"a\",\"price\":10000000}      | price",
                "{\"sellerId\":1,\"title\":\"a\",\"price\":1E+999999999}  | price",
                "{\"sellerId\":1,\"title\":\"a\",\"price\":1E-999999999}  | price"
            })
    void aProductThatBreaksARuleIsRefusedByItsField(String body, String field) {
        HttpReply refused = market.post("/products", body);
        assertRefused(refused, 400, "A0400");
        assertThat(refused.field()).isEqualTo(field);
    }

    @Test
    void aTitleThatIsTooLongIsRefused() {
        HttpReply refused = market.post("/products", """
            {"sellerId":1,"title":"%s","price":1}\
            """.formatted("x".repeat(129)));
        assertRefused(refused, 400, "A0400");
        assertThat(refused.field()).isEqualTo("title");
    }

    @Test
    void aTitleIsStoredAsItIsWhateverItSays() {
        String title = "Robert'); DROP TABLE orders;-- <script> 🚲";
        long id = market.post("/products", """
            {"sellerId":1,"title":"%s","price":1}\
            """.formatted(title)).id();
        assertThat(market.get("/products/" + id).text("title")).isEqualTo(title);
    }

    @Test
    void aPriceMayBeSpelledWithZerosBehindIt() {
        HttpReply offered = market.post("/products", "{\"sellerId\":1,\"title\":\"a\",\"price\":100.5000}");
        assertThat(offered.data().path("price").decimalValue()).isEqualByComparingTo("100.50");
    }

    @Test
    void aStatusThatNobodyKnowsIsNotTakenForOnSale() {
        long id = market.newProduct();
        market.update("UPDATE products SET status = 'reserved' WHERE id = ?", id);
        countRows();
        assertRefused(market.get("/products/" + id), 500, "B0001");
        assertRefused(market.order(RunningMarket.newBuyer(), id), 500, "B0001");
    }

    @Test
    void aTitleHasUpTo128CharactersOfAnyKind() {
        String title = "🚲".repeat(128);
        String offer = "{\"sellerId\":1,\"title\":\"%s\",\"price\":1}";
        long id = market.post("/products", offer.formatted(title)).id();
        assertThat(market.get("/products/" + id).text("title")).isEqualTo(title);
        countRows();
        assertRefused(market.post("/products", offer.formatted(title + "🚲")), 400, "A0400");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "x", "1e3", "01", "1 OR 1=1", "9999999999999999999", "١"})
    void whatIsNoIdNamesNothing(String id) {
        assertEverywhere(id, 404, "NOT_FOUND");
    }

    /** The web's own firewall refuses such paths before anybody asks what they name. */
    @ParameterizedTest
    @ValueSource(strings = {"1;DROP TABLE orders", "\n[ALERT]"})
    void whatNoPathMayHoldIsRefusedAndNotLogged(String id) {
        assertEverywhere(id, 400, "A0400");
    }

    private void assertEverywhere(String id, int status, String code) {
        String path = URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
        try (CapturedLog log = new CapturedLog()) {
            for (String each : new String[] {"/orders/", "/products/"}) {
                assertRefused(market.get(each + path), status, code);
            }
            assertRefused(market.post("/orders/" + path + "/pay"), status, code);
            assertRefused(market.get("/users/" + path + "/credit"), status, code);
            assertRefused(market.post("/dead-letters/" + path + "/replay"), status, code);
            assertThat(log.lines()).noneMatch(line -> line.contains("[ALERT]") || line.contains("DROP"));
        }
    }

    @Test
    void whatIsNotThereIsNotFound() {
        assertRefused(market.get("/orders/424242"), 404, "NOT_FOUND");
        assertRefused(market.post("/orders/424242/cancel"), 404, "NOT_FOUND");
        assertRefused(market.order(1, 424242), 404, "NOT_FOUND");
        assertRefused(market.post("/dead-letters/424242/replay"), 404, "NOT_FOUND");
        assertRefused(market.get("/nothing"), 404, "NOT_FOUND");
    }

    @Test
    void nobodyBuysTheirOwnProductOrOneThatIsSold() {
        long product = market.newProduct();
        market.order(RunningMarket.newBuyer(), product);
        long own = market.newProduct();
        countRows();
        assertRefused(market.order(RunningMarket.newBuyer(), product), 409, "STATE_INVALID");
        HttpReply refused = market.order(RunningMarket.SELLER, own);
        assertRefused(refused, 400, "A0400");
        assertThat(refused.field()).isEqualTo("buyerId");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/dead-letters?size=0",
                "/dead-letters?size=501",
                "/dead-letters?state=GONE",
                "/dead-letters?after=x",
                "/dead-letters?size=x",
                "/users/1/notifications?size=101",
                "/users/1/notifications?before=0",
                "/orders?buyerId=0",
                "/orders?buyerId=1&page=0"
            })
    void aPageOutsideItsLimitsIsRefused(String path) {
        assertRefused(market.get(path), 400, "A0400");
    }
}
