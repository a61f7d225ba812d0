package dev.waybill.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.order.running.RunningOrders;
import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.HttpCalls;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.ReplyAssertions;
import dev.waybill.servicetestkit.ServiceSettings;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Who may do what with orders, by the token that they bring. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessTest {

    private static final long OWNER = 7;
    private static final long OTHER = 8;
    private static final String UNKNOWN = "ORD209901010000000000000";

    private RunningOrders orders;
    private HttpCalls nobody;
    private HttpCalls owner;
    private HttpCalls other;
    private HttpCalls operator;
    private String orderNo;

    @BeforeAll
    void start(@TempDir Path folder) {
        orders = RunningOrders.start(
                ServiceSettings.embedded(folder).set(BearerTokens.SECRET_PROPERTY, BearerTokens.OF_TESTS.secret()));
        int port = orders.port();
        nobody = () -> port; // without the token that the others bring
        owner = orders.as(OWNER);
        other = orders.as(OTHER);
        operator = orders.with(BearerTokens.OF_TESTS.operator());
        orderNo = orders.create("access", OWNER).orderNo();
    }

    @AfterAll
    void stop() {
        orders.close();
    }

    private static HttpReply cancel(HttpCalls caller, String orderNo, String key) {
        return caller.post("/orders/" + orderNo + "/cancel", "", "X-Idempotency-Key", key);
    }

    private void assertRefused(HttpReply reply, int status, String code) {
        ReplyAssertions.assertRefused(reply, status, code);
    }

    @Test
    void usersOrderForThemselvesAndNobodyElseDoes() {
        String body = RunningOrders.body("create", OWNER);
        long before = orders.rowsInAll();
        assertRefused(nobody.post("/orders", body), 401, "A0230");
        assertRefused(other.post("/orders", body), 403, "A0301");
        assertRefused(operator.post("/orders", body), 403, "A0301");
        assertThat(orders.rowsInAll()).isEqualTo(before);
        assertThat(owner.post("/orders", body).code()).isEqualTo("00000");
    }

    @Test
    void aStoredAnswerIsGivenToItsOwnerOnly() {
        String key = UUID.randomUUID().toString();
        String body = RunningOrders.body(key, OWNER);
        HttpReply created = owner.post("/orders", body);
        assertThat(owner.post("/orders", body).data()).isEqualTo(created.data());
        assertRefused(other.post("/orders", body), 403, "A0301");
        assertRefused(operator.post("/orders", body), 403, "A0301");
        HttpReply canceled = cancel(owner, created.orderNo(), key);
        assertThat(cancel(owner, created.orderNo(), key).data()).isEqualTo(canceled.data());
        assertRefused(cancel(other, created.orderNo(), key), 404, "NOT_FOUND");
        assertRefused(cancel(operator, created.orderNo(), key), 403, "A0301");
        assertRefused(cancel(nobody, created.orderNo(), key), 401, "A0230");
    }

    @Test
    void anOrderIsSeenByItsOwnerAndByOperators() {
        for (String path : new String[] {"/orders/" + orderNo, "/orders/" + orderNo + "/flow"}) {
            assertThat(owner.get(path).code()).isEqualTo("00000");
            assertThat(operator.get(path).data()).isEqualTo(owner.get(path).data());
            assertRefused(other.get(path), 404, "NOT_FOUND");
            assertRefused(nobody.get(path), 401, "A0230");
        }
        assertThat(other.get("/orders/" + orderNo).body().path("message"))
                .isEqualTo(other.get("/orders/" + UNKNOWN).body().path("message"));
    }

    @Test
    void aListIsEmptyForOthers() {
        assertThat(owner.get("/orders?userId=" + OWNER).data().path("total").asInt())
                .isPositive();
        assertThat(operator.get("/orders?userId=" + OWNER).data())
                .isEqualTo(owner.get("/orders?userId=" + OWNER).data());
        assertThat(other.get("/orders?userId=" + OWNER).data())
                .isEqualTo(owner.get("/orders?userId=424242").data());
        assertRefused(nobody.get("/orders?userId=" + OWNER), 401, "A0230");
    }

    @Test
    void onlyTheOwnerCancels() {
        String mine = orders.create(UUID.randomUUID().toString(), OWNER).orderNo();
        assertRefused(cancel(nobody, mine, "c-1"), 401, "A0230");
        assertRefused(cancel(other, mine, "c-1"), 404, "NOT_FOUND");
        assertRefused(cancel(operator, mine, "c-1"), 403, "A0301");
        assertThat(orders.statusOf(mine)).isEqualTo("CREATED");
        assertThat(cancel(owner, mine, "c-1").dataStatus()).isEqualTo("CANCELED");
    }

    @Test
    void everybodyMayAskForTheServicesHealth() {
        assertThat(nobody.statusCode("/actuator/health")).isEqualTo(200);
        assertThat(nobody.statusCode("/actuator/info")).isEqualTo(401);
    }
}
