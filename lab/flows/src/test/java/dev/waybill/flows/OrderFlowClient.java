package dev.waybill.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servicetestkit.HttpReply;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** Creates and cancels orders and reads what became of them, all over HTTP. */
record OrderFlowClient(RealStack stack) {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    static String basket(long sku, int quantity) {
        return basket(Map.of(sku, quantity));
    }

    static String basket(Map<Long, Integer> quantities) {
        String items = quantities.entrySet().stream()
                .map(line -> "{\"skuId\":" + line.getKey() + ",\"quantity\":" + line.getValue() + ",\"price\":12.50}")
                .collect(Collectors.joining(","));
        return "{\"clientRequestId\":\"" + UUID.randomUUID() + "\",\"userId\":7,\"items\":[" + items + "]}";
    }

    /** Orders, and returns the order's number. Headers are given as names and values in turns. */
    String order(String basket, String... headers) {
        HttpReply answer = stack.orders.post("/orders", basket, headers);
        assertThat(answer.code()).as(answer.body().toString()).isEqualTo("00000");
        return answer.orderNo();
    }

    HttpReply cancel(String orderNo) {
        return stack.orders.post(
                "/orders/" + orderNo + "/cancel",
                "{}",
                "X-Idempotency-Key",
                UUID.randomUUID().toString());
    }

    String status(String orderNo) {
        return stack.orders.get("/orders/" + orderNo).dataStatus();
    }

    /** The status of the order's reservation; empty before the inventory knows the order. */
    String reservation(String orderNo) {
        return stack.inventory.get("/reservations/" + orderNo).dataStatus();
    }

    long available(long sku) {
        HttpReply level = stack.inventory.get("/inventory/1/" + sku);
        assertThat(level.code()).as(level.body().toString()).isEqualTo("00000");
        return level.number("available");
    }

    void awaitStatus(String orderNo, String status) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(status(orderNo)).isEqualTo(status));
    }

    void awaitStock(long sku, long available, long reserved) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            HttpReply level = stack.inventory.get("/inventory/1/" + sku);
            assertThat(level.number("available")).isEqualTo(available);
            assertThat(level.number("reserved")).isEqualTo(reserved);
        });
    }

    /** Redis holds nothing of the article and has the database's number. */
    void awaitGateAgrees(long sku, long available) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            var view = stack.gate(sku);
            assertThat(view.held()).as("held of %d", sku).isZero();
            assertThat(view.available()).as("gate's %d", sku).isEqualTo(available);
        });
    }
}
