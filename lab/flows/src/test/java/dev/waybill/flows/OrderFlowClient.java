package dev.waybill.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.flows.Http.Answer;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** Somebody who orders and cancels, and looks at what became of it, all over HTTP. */
record Shopper(RealStack stack) {

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

    /** Orders, and returns the order's number. */
    String order(String basket) {
        Answer answer = stack.orders.post("/orders", basket);
        assertThat(answer.code()).as(answer.text()).isEqualTo("00000");
        return answer.data().path("orderNo").asString();
    }

    Answer cancel(String orderNo) {
        return stack.orders.post(
                "/orders/" + orderNo + "/cancel",
                "{}",
                "X-Idempotency-Key",
                UUID.randomUUID().toString());
    }

    String status(String orderNo) {
        return stack.orders.get("/orders/" + orderNo).data().path("status").asString("");
    }

    /** What the inventory made of the order; empty before it heard of it. */
    String reservation(String orderNo) {
        return stack.inventory
                .get("/reservations/" + orderNo)
                .data()
                .path("status")
                .asString("");
    }

    long available(long sku) {
        Answer shelf = stack.inventory.get("/inventory/1/" + sku);
        assertThat(shelf.code()).as(shelf.text()).isEqualTo("00000");
        return shelf.data().path("available").asLong();
    }

    void awaitStatus(String orderNo, String status) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(status(orderNo)).isEqualTo(status));
    }

    void awaitShelf(long sku, long available, long reserved) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Answer shelf = stack.inventory.get("/inventory/1/" + sku);
            assertThat(shelf.data().path("available").asLong()).isEqualTo(available);
            assertThat(shelf.data().path("reserved").asLong()).isEqualTo(reserved);
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
