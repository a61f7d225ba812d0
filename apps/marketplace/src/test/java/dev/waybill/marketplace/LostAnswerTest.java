package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.servicetestkit.ConcurrentCalls;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.ServiceSettings;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A caller whose answer was lost asks again, and gets the same order. Each test is a buyer's of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LostAnswerTest {

    private static final String KEY = "X-Idempotency-Key";

    private ServiceSettings settings;
    private RunningMarket market;
    private long buyer;
    private long product;

    @BeforeAll
    void start(@TempDir Path folder) {
        settings = ServiceSettings.embedded(folder);
        market = RunningMarket.start(settings);
    }

    @BeforeEach
    void newBuyer() {
        buyer = RunningMarket.newBuyer();
        product = market.newProduct();
    }

    @AfterAll
    void stop() {
        market.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Idempotency-Key", "Idempotency-Key"})
    void theSameKeyReturnsTheSameOrderWhateverHasBecomeOfItAlsoAfterARestart(String header) {
        HttpReply first = market.order(buyer, product, header, "k-1");
        assertThat(market.order(buyer, product, header, "k-1").data()).isEqualTo(first.data());
        market.move(first.id(), "cancel");
        market.close();
        market = RunningMarket.start(settings);
        HttpReply later = market.order(buyer, product, header, "k-1");
        assertThat(later.id()).isEqualTo(first.id());
        assertThat(later.text("status")).isEqualTo("cancelled");
        assertThat(market.productStatus(product)).isEqualTo("on_sale");
    }

    @Test
    void theSameKeyForAnotherProductIsRefusedAndChangesNothing() {
        market.order(buyer, product, KEY, "k-1");
        long other = market.newProduct();
        long before = market.rowsInAll();
        HttpReply refused = market.order(buyer, other, KEY, "k-1");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.code()).isEqualTo("A0402");
        assertThat(market.rowsInAll()).isEqualTo(before);
        assertThat(market.productStatus(other)).isEqualTo("on_sale");
    }

    @Test
    void keysOfTwoBuyersAndKeysThatDifferInCaseAreDifferent() {
        HttpReply mine = market.order(buyer, product, KEY, "key");
        HttpReply upper = market.order(buyer, market.newProduct(), KEY, "KEY");
        HttpReply theirs = market.order(RunningMarket.newBuyer(), market.newProduct(), KEY, "key");
        assertThat(Set.of(mine.id(), upper.id(), theirs.id())).hasSize(3).doesNotContain(0L);
        assertThat(market.order(buyer, product, KEY, "another").code())
                .as("another request for what is sold by now")
                .isEqualTo("STATE_INVALID");
    }

    @Test
    void withoutAKeyTheBuyersPendingOrderIsReturnedAndNobodyElses() {
        HttpReply first = market.order(buyer, product);
        assertThat(market.order(buyer, product).data()).isEqualTo(first.data());
        assertThat(market.order(RunningMarket.newBuyer(), product).code()).isEqualTo("STATE_INVALID");
        market.move(first.id(), "pay");
        assertThat(market.order(buyer, product).code()).isEqualTo("STATE_INVALID");
    }

    @Test
    void aHundredAtOnceWithOneKeyAreOneOrder() {
        List<HttpReply> replies = ConcurrentCalls.run(100, i -> market.order(buyer, product, KEY, "k-1"));
        Set<JsonNode> orders = new HashSet<>();
        replies.forEach(reply -> orders.add(reply.data()));
        assertThat(replies).allMatch(reply -> reply.code().equals("00000"));
        assertThat(orders).hasSize(1);
        assertThat(market.count("SELECT COUNT(*) FROM orders WHERE buyer_id = ?", buyer))
                .isEqualTo(1);
    }

    @Test
    void aHundredAtOnceWithoutAKeyAreOneOrder() {
        List<HttpReply> replies = ConcurrentCalls.run(100, i -> market.order(buyer, product));
        assertThat(replies)
                .extracting(HttpReply::id)
                .containsOnly(replies.get(0).id());
        assertThat(replies.get(0).id()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", ""})
    void aKeyOfAnotherShapeIsRefused(String key) {
        HttpReply refused = market.order(buyer, product, KEY, key);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.code()).isEqualTo("A0400");
        assertThat(market.order(buyer, product, KEY, "x".repeat(129)).code()).isEqualTo("A0400");
        assertThat(market.productStatus(product)).isEqualTo("on_sale");
    }

    @Test
    void aBuyerFindsTheirOrdersPageByPage() {
        for (int i = 0; i < 5; i++) {
            market.order(buyer, market.newProduct());
        }
        market.order(RunningMarket.newBuyer(), market.newProduct());
        HttpReply first = market.get("/orders?buyerId=" + buyer + "&page=1&size=3");
        assertThat(first.number("total")).isEqualTo(5);
        assertThat(first.data().path("orders")).hasSize(3);
        HttpReply second = market.get("/orders?buyerId=" + buyer + "&page=2&size=3");
        assertThat(second.data().path("orders")).hasSize(2);
        assertThat(first.data().path("orders").get(2).path("id").asLong())
                .as("newest first")
                .isGreaterThan(second.data().path("orders").get(0).path("id").asLong());
        assertThat(market.get("/orders?buyerId=" + buyer + "&size=101").code()).isEqualTo("A0400");
        assertThat(market.get("/orders").code()).isEqualTo("A0400");
    }
}
