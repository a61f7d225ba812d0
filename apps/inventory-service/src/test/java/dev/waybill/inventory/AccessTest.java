package dev.waybill.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.HttpCalls;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.ServiceSettings;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may do what, in the profile for real servers. */
@Servers({Server.MARIADB, Server.REDIS})
class AccessTest {

    private static final String GOOD = "{\"warehouseId\":1,\"skuId\":\"TEA\",\"quantity\":1}";

    private static RunningInventory inventory;

    @BeforeAll
    static void start(MariaDb mariaDb, Redis redis) {
        inventory = RunningInventory.start(ServiceSettings.onDatabase(mariaDb.freshDatabase())
                .redis(redis.url() + "/3")
                .set("waybill.broker", "memory"));
        inventory.receive("TEA", 1);
    }

    @AfterAll
    static void stop() {
        inventory.close();
    }

    private static HttpCalls as(String who) {
        int port = inventory.port();
        HttpCalls nobody = () -> port; // the running service itself is called with an operator's token
        return switch (who) {
            case "nobody" -> nobody;
            case "operator" -> nobody.with(BearerTokens.OF_TESTS.operator());
            default -> nobody.with(BearerTokens.OF_TESTS.user(7));
        };
    }

    @ParameterizedTest
    @CsvSource({
        "nobody,   401, A0230, 401, A0230, 401, A0230",
        "user,     403, A0301, 200, 00000, 403, A0301",
        "operator, 200, 00000, 200, 00000, 404, NOT_FOUND",
    })
    void everybodyMayDoWhatTheTableSays(
            String who,
            int receive,
            String receiveCode,
            int look,
            String lookCode,
            int reservation,
            String reservationCode) {
        HttpCalls caller = as(who);
        assertReply(
                caller.post(
                        "/inventory/receive",
                        GOOD,
                        "X-Idempotency-Key",
                        UUID.randomUUID().toString()),
                receive,
                receiveCode);
        assertReply(caller.get("/inventory/1/TEA"), look, lookCode);
        assertReply(caller.get("/reservations/ORD1"), reservation, reservationCode);
        assertThat(caller.statusCode("/actuator/health")).isEqualTo(200);
        assertThat(caller.statusCode("/v3/api-docs")).isNotEqualTo(200);
        assertThat(caller.statusCode("/swagger-ui/index.html")).isNotEqualTo(200);
    }

    /** The right is checked before a stored answer is given. */
    @Test
    void anOperatorsAnswerIsNotRepeatedToAUser() {
        String key = UUID.randomUUID().toString();
        long before = inventory.available("TEA");
        assertReply(as("operator").post("/inventory/receive", GOOD, "X-Idempotency-Key", key), 200, "00000");
        assertReply(as("user").post("/inventory/receive", GOOD, "X-Idempotency-Key", key), 403, "A0301");
        assertThat(inventory.available("TEA")).isEqualTo(before + 1);
    }

    private static void assertReply(HttpReply reply, int status, String code) {
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(status);
        assertThat(reply.code()).isEqualTo(code);
    }
}
