package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.HttpCalls;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.ReplyAssertions;
import dev.waybill.servicetestkit.ServiceSettings;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may do what: every cell of the table, by HTTP, where callers are known by their tokens. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessTest {

    private static final String LETTERS = "/waybill/api/dead-letters";

    private static final long BUYER = 10001;
    private static final long SELLER = RunningMarket.SELLER;
    private static final long STRANGER = 10003;

    private RunningMarket market;

    @BeforeAll
    void start(@TempDir Path folder) {
        market = RunningMarket.start(ServiceSettings.embedded(folder)
                .set(BearerTokens.SECRET_PROPERTY, BearerTokens.OF_TESTS.secret())
                .set("waybill.inbox.retry-delays", "50ms"));
    }

    @AfterAll
    void stop() {
        market.close();
    }

    private HttpCalls as(String who) {
        return switch (who) {
            case "buyer" -> market.as(BUYER);
            case "seller" -> market.as(SELLER);
            case "stranger" -> market.as(STRANGER);
            case "operator" -> market.with(BearerTokens.OF_TESTS.operator());
            default -> nobody();
        };
    }

    private HttpCalls nobody() {
        return new HttpCalls() {
            @Override
            public int port() {
                return market.port();
            }
        };
    }

    private static void assertAnswered(HttpReply reply, int status) {
        assertThat(reply.status()).isEqualTo(status);
        if (status != 200) {
            ReplyAssertions.assertRefused(
                    reply,
                    status,
                    switch (status) {
                        case 401 -> "A0230";
                        case 403 -> "A0301";
                        default -> "NOT_FOUND";
                    });
        }
    }

    @ParameterizedTest
    @CsvSource({"nobody, 401", "buyer, 403", "seller, 200", "stranger, 403", "operator, 403"})
    void aSellerOffersTheirOwn(String who, int status) {
        long before = market.rowsInAll();
        assertAnswered(as(who).post("/products", """
                {"sellerId":%d,"title":"lamp","price":5}""".formatted(SELLER)), status);
        assertThat(market.rowsInAll() > before).isEqualTo(status == 200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nobody", "buyer", "seller", "stranger", "operator"})
    void everybodySeesProducts(String who) {
        long product = market.newProduct();
        assertAnswered(as(who).get("/products/" + product), 200);
        assertAnswered(as(who).get("/products/" + product + "/inventory"), 200);
        assertThat(as(who).get("/actuator/health").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"nobody, 401", "buyer, 200", "seller, 403", "stranger, 403", "operator, 403"})
    void aBuyerOrdersForThemselves(String who, int status) {
        long product = market.newProduct();
        long before = market.rowsInAll();
        assertAnswered(as(who).post("/orders", """
                {"buyerId":%d,"productId":%d}""".formatted(BUYER, product)), status);
        assertThat(market.rowsInAll() > before).isEqualTo(status == 200);
    }

    @Test
    void aKeyAnswersNobodyButItsBuyer() {
        long product = market.newProduct();
        assertAnswered(market.order(BUYER, product, "X-Idempotency-Key", "mine"), 200);
        String same = """
                {"buyerId":%d,"productId":%d}""".formatted(BUYER, product);
        assertAnswered(as("stranger").post("/orders", same, "X-Idempotency-Key", "mine"), 403);
        assertAnswered(as("operator").post("/orders", same, "X-Idempotency-Key", "mine"), 403);
    }

    @ParameterizedTest
    @CsvSource({
        "pay, nobody, 401",
        "pay, buyer, 200",
        "pay, seller, 403",
        "pay, stranger, 404",
        "pay, operator, 403",
        "cancel, nobody, 401",
        "cancel, buyer, 200",
        "cancel, seller, 403",
        "cancel, stranger, 404",
        "cancel, operator, 403",
        "ship, nobody, 401",
        "ship, buyer, 403",
        "ship, seller, 200",
        "ship, stranger, 404",
        "ship, operator, 403",
        "complete, nobody, 401",
        "complete, buyer, 200",
        "complete, seller, 403",
        "complete, stranger, 404",
        "complete, operator, 403"
    })
    void buyersPayCancelAndCompleteAndSellersShip(String how, String who, int status) {
        long order = market.order(BUYER, market.newProduct()).id();
        if (how.equals("ship") || how.equals("complete")) {
            market.move(order, "pay");
        }
        if (how.equals("complete")) {
            market.move(order, "ship");
        }
        String before = market.statusOf(order);
        assertAnswered(as(who).post("/orders/" + order + "/" + how), status);
        assertThat(market.statusOf(order).equals(before)).isEqualTo(status != 200);
    }

    @ParameterizedTest
    @CsvSource({"nobody, 401", "buyer, 200", "seller, 200", "stranger, 404", "operator, 200"})
    void anOrderIsSeenByItsBuyerItsSellerAndOperators(String who, int status) {
        long order = market.order(BUYER, market.newProduct()).id();
        market.move(order, "pay");
        await().atMost(RunningMarket.PATIENCE)
                .until(() -> market.count("SELECT COUNT(*) FROM fulfillments WHERE order_id = ?", order) == 1);
        assertAnswered(as(who).get("/orders/" + order), status);
        assertAnswered(as(who).get("/orders/" + order + "/fulfillment"), status);
    }

    @ParameterizedTest
    @CsvSource({"buyer, true", "seller, false", "stranger, false", "operator, true"})
    void aBuyersOrdersAreListedForThemAndForOperators(String who, boolean listed) {
        market.order(BUYER, market.newProduct());
        HttpReply reply = as(who).get("/orders?buyerId=" + BUYER);
        assertAnswered(reply, 200);
        assertThat(reply.number("total") > 0).isEqualTo(listed);
        assertThat(reply.data().path("orders").isEmpty()).isNotEqualTo(listed);
        assertAnswered(nobody().get("/orders?buyerId=" + BUYER), 401);
    }

    @ParameterizedTest
    @CsvSource({"nobody, 401", "buyer, 200", "seller, 404", "stranger, 404", "operator, 200"})
    void notificationsAndCreditAreTheUsersOwn(String who, int status) {
        assertAnswered(as(who).get("/users/" + BUYER + "/notifications"), status);
        assertAnswered(as(who).get("/users/" + BUYER + "/credit"), status);
    }

    @ParameterizedTest
    @CsvSource({"nobody, 401", "buyer, 403", "seller, 403", "stranger, 403"})
    void deadLettersAreForOperatorsAlone(String who, int status) {
        for (String path : List.of("/dead-letters", "/dead-letters?state=OPEN", LETTERS, LETTERS + "/1")) {
            assertAnswered(as(who).get(path), status);
        }
        for (String path : List.of("/dead-letters/1/replay", LETTERS + "/replay", LETTERS + "/discard")) {
            assertAnswered(as(who).post(path, "{}"), status);
        }
        assertAnswered(as("operator").get("/dead-letters"), 200);
        assertAnswered(as("operator").get(LETTERS), 200);
        assertAnswered(as("operator").get(LETTERS + "/1"), 404);
    }

    /** Another spelling of a path is the same path to the rules, or is refused before there are any. */
    @ParameterizedTest
    @CsvSource({
        "/dead-letters/1;a=b, 400",
        "/./dead-letters, 400",
        "/%64ead-letters, 401",
        "//dead-letters, 400",
        "/waybill/%61pi/dead-letters, 401"
    })
    void aPathSpelledOtherwiseLetsNobodyIn(String path, int status) {
        HttpReply reply = market.send(market.anonymousRequest(path).GET());
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.body().has("data")).isTrue();
        assertThat(reply.data().has("letters")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer operator", "Basic b3BlcmF0b3I6c2VjcmV0", "Bearer "})
    void whatIsNoTokenLetsNobodyIn(String login) {
        HttpReply reply = market.send(market.anonymousRequest(LETTERS + "/replay")
                .header("Authorization", login)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{}")));
        assertAnswered(reply, 401);
    }
}
