package dev.waybill.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.order.running.RunningOrders;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.ServiceSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which key a create has: the header's, the body's clientRequestId, or both. */
class KeysTest {

    private static final String LINE = "{\"skuId\":1,\"quantity\":1,\"price\":1}";
    private static final String WITHOUT_KEY = "{\"userId\":7,\"items\":[" + LINE + "]}";

    @TempDir
    Path folder;

    private RunningOrders orders;

    @BeforeEach
    void start() {
        orders = RunningOrders.start(ServiceSettings.embedded(folder));
    }

    @AfterEach
    void stop() {
        orders.close();
    }

    private String storedKey(HttpReply created) {
        assertThat(created.code()).as(created.body().toString()).isEqualTo("00000");
        return orders.text("SELECT client_request_id FROM t_order WHERE order_no = ?", created.orderNo());
    }

    @Test
    void theHeaderAloneIsTheKeyAndIsStoredWithTheOrder() {
        HttpReply first = orders.post("/orders", WITHOUT_KEY, "X-Idempotency-Key", "h-1");
        assertThat(storedKey(first)).isEqualTo("h-1");
        HttpReply quoted = orders.post("/orders", WITHOUT_KEY, "Idempotency-Key", "\"h-1\"");
        assertThat(quoted.data()).isEqualTo(first.data());
        HttpReply spelledOut = orders.post("/orders", RunningOrders.body("h-1", 7, LINE), "Idempotency-Key", "h-1");
        assertThat(spelledOut.data()).isEqualTo(first.data());
        HttpReply inTheBody = orders.post("/orders", RunningOrders.body("h-1", 7, LINE));
        assertThat(inTheBody.data()).isEqualTo(first.data());
    }

    @Test
    void withBothTheHeaderIsTheGuardsKeyAndTheBodysTheDatabases() {
        HttpReply first = orders.post("/orders", RunningOrders.body("c-1", 7, LINE), "X-Idempotency-Key", "h-2");
        assertThat(storedKey(first)).isEqualTo("c-1");
        HttpReply otherHeader = orders.post("/orders", RunningOrders.body("c-1", 7, LINE), "X-Idempotency-Key", "h-3");
        assertThat(otherHeader.data()).isEqualTo(first.data());
        HttpReply otherBody = orders.post("/orders", RunningOrders.body("c-2", 7, LINE), "X-Idempotency-Key", "h-2");
        assertThat(otherBody.code()).isEqualTo("A0402");
        assertThat(orders.count("SELECT COUNT(*) FROM t_order")).isEqualTo(1);
    }

    @Test
    void withoutAnyKeyNothingIsCreated() {
        for (String body : new String[] {WITHOUT_KEY, RunningOrders.body("", 7, LINE)}) {
            HttpReply refused = orders.post("/orders", body);
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.code()).isEqualTo("A0403");
        }
        assertThat(orders.count("SELECT COUNT(*) FROM t_order")).isZero();
    }

    @Test
    void theRequestOfADeletedOrderIsNotAnsweredWithIt() {
        String orderNo = orders.create("gone", 7).orderNo();
        orders.update("UPDATE t_order SET deleted = 1 WHERE order_no = ?", orderNo);
        // The guard's memory has the answer under another key only, as after a flush.
        HttpReply again = orders.post("/orders", RunningOrders.body("gone", 7), "X-Idempotency-Key", "h-4");
        assertThat(again.status()).isEqualTo(404);
        assertThat(again.code()).isEqualTo("NOT_FOUND");
        assertThat(orders.count("SELECT COUNT(*) FROM t_order")).isEqualTo(1);
    }
}
