package dev.waybill.inventory;

import static dev.waybill.inventory.RunningInventory.canceled;
import static dev.waybill.inventory.RunningInventory.created;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.inventory.domain.Line;
import dev.waybill.inventory.domain.Receipt;
import dev.waybill.inventory.domain.ReceivingService;
import dev.waybill.message.Event;
import dev.waybill.servicetestkit.ConcurrentCalls;
import dev.waybill.servicetestkit.HttpReply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the service promises, whatever it runs on. */
interface InventoryPromises {

    RunningInventory inventory();

    @Test
    default void anOrderReservesItsStockAndSaysSo() {
        String order = "ORD" + UUID.randomUUID();
        String sku = "SKU-" + UUID.randomUUID();
        inventory().receive(sku, 10);
        Event created = created(order, sku, 3);
        inventory().send(created);

        Event answer = inventory().answer(order);
        assertThat(answer.type()).isEqualTo("StockReserved");
        assertThat(answer.traceId()).isEqualTo("trace-" + order);
        assertThat(answer.payload())
                .isEqualTo("{\"orderNo\":\"%s\",\"items\":[{\"warehouseId\":1,\"skuId\":\"%s\",\"quantity\":3}]}"
                        .formatted(order, sku));
        assertThat(inventory().available(sku)).isEqualTo(7);
        assertThat(inventory().reserved(sku)).isEqualTo(3);
        HttpReply reservation = inventory().get("/reservations/" + order);
        assertThat(reservation.data().path("status").asString()).isEqualTo("RESERVED");
        assertThat(reservation.data().path("items").get(0).path("quantity").asLong())
                .isEqualTo(3);
        assertThat(inventory().consumeLog(created)).isEqualTo("SUCCESS");
        inventory().untilGateAgrees(sku);
    }

    @Test
    default void anOrderThatCannotHaveEverythingGetsNothingAndHearsWhatIsShort() {
        String order = "ORD" + UUID.randomUUID();
        String sku = "SKU-" + UUID.randomUUID();
        String other = sku + "-b";
        inventory().receive(sku, 10);
        inventory().receive(other, 1);
        inventory().send(created(order, sku, 3, other, 2, "NO-SUCH-SKU", 1));

        Event answer = inventory().answer(order);
        assertThat(answer.type()).isEqualTo("StockReserveFailed");
        assertThat(answer.payload())
                .isEqualTo(("{\"orderNo\":\"%s\",\"shortItems\":["
                                + "{\"warehouseId\":1,\"skuId\":\"NO-SUCH-SKU\",\"requested\":1,\"available\":0},"
                                + "{\"warehouseId\":1,\"skuId\":\"%s\",\"requested\":2,\"available\":1}]}")
                        .formatted(order, other));
        assertThat(inventory().available(sku)).isEqualTo(10);
        inventory().untilGateAgrees(sku);
        inventory().untilGateAgrees(other);
    }

    @Test
    default void sixtyFirstReceiptsOfANewSkuAtOnceAllCount() {
        String sku = "SKU-" + UUID.randomUUID();
        List<Integer> statuses = ConcurrentCalls.run(
                60,
                caller -> inventory().receiveUnder(sku + "-" + caller, sku, 1).status());
        assertThat(statuses).containsOnly(200);
        assertThat(inventory().available(sku)).isEqualTo(60);
    }

    @Test
    default void linesOfTheSameSkuAreOne() {
        String order = "ORD" + UUID.randomUUID();
        String sku = "SKU-" + UUID.randomUUID();
        inventory().receive(sku, 10);
        inventory().send(created(order, sku, 6, sku, 5));
        assertThat(inventory().answer(order).type()).isEqualTo("StockReserveFailed");
        inventory().send(created(order + "x", sku, 5, sku, 5));
        assertThat(inventory().answer(order + "x").type()).isEqualTo("StockReserved");
        assertThat(inventory().available(sku)).isZero();
    }

    @Test
    default void aCancelGivesTheStockBackOnce() {
        String order = "ORD" + UUID.randomUUID();
        String sku = "SKU-" + UUID.randomUUID();
        inventory().receive(sku, 10);
        inventory().send(created(order, sku, 4));
        inventory().answer(order);
        Event cancel = canceled(order, sku, 4);
        inventory().send(cancel);
        inventory().until(() -> assertThat(inventory().available(sku)).isEqualTo(10));

        Event again = canceled(order, sku, 4);
        inventory().send(cancel);
        inventory().send(again);
        inventory().until(() -> assertThat(inventory().consumeLog(again)).isEqualTo("IGNORED"));
        assertThat(inventory().available(sku)).isEqualTo(10);
        assertThat(inventory().reserved(sku)).isZero();
        assertThat(inventory().published(order)).hasSize(1);
        inventory().untilGateAgrees(sku);
    }

    @Test
    default void aCancelThatComesFirstLeavesATombstoneThatTheLateOrderRespects() {
        String order = "ORD" + UUID.randomUUID();
        String sku = "SKU-" + UUID.randomUUID();
        inventory().receive(sku, 10);
        Event cancel = canceled(order, sku, 4);
        inventory().send(cancel);
        inventory().until(() -> assertThat(inventory().consumeLog(cancel)).isEqualTo("SUCCESS"));
        Event late = created(order, sku, 4);
        inventory().send(late);

        inventory().until(() -> assertThat(inventory().consumeLog(late)).isEqualTo("IGNORED"));
        assertThat(inventory().available(sku)).isEqualTo(10);
        assertThat(inventory().published(order)).isEmpty();
        assertThat(inventory().count("SELECT count(*) FROM t_outbox_event WHERE biz_key = ?", order))
                .isZero();
        assertThat(inventory()
                        .count(
                                "SELECT count(*) FROM t_inventory_state_flow WHERE order_no = ? AND ignored_reason = ?",
                                order,
                                "STATUS_CANCELED"))
                .isEqualTo(1);
        inventory().untilGateAgrees(sku);
    }

    @Test
    default void theSameReceiptIsAddedOnceAlsoWhenTheGuardHasForgottenIt() {
        String sku = "SKU-" + UUID.randomUUID();
        String body = "{\"warehouseId\":1,\"skuId\":\"%s\",\"quantity\":5}".formatted(sku);
        String key = UUID.randomUUID().toString();
        HttpReply first = inventory().post("/inventory/receive", body, "X-Idempotency-Key", key);
        assertThat(first.data().path("available").asLong()).isEqualTo(5);
        HttpReply repeat = inventory().post("/inventory/receive", body, "X-Idempotency-Key", key);
        assertThat(repeat.data()).isEqualTo(first.data());

        // What the handler does where the guard's store has lost the key.
        inventory().receive(sku, 7);
        ReceivingService receiving = inventory().bean(ReceivingService.class);
        Line line = new Line(1, sku, 5);
        assertThat(receiving.receive(line, key)).as("the first answer again").isEqualTo(new Receipt(line, 5, 0));
        for (Line other : List.of(new Line(1, sku, 6), new Line(2, sku, 5))) {
            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> receiving.receive(other, key))
                    .extracting(RefusedException::code)
                    .isEqualTo(Code.KEY_REUSED);
        }
        assertThat(inventory().available(sku)).isEqualTo(12);
    }

    @Test
    default void howeverOftenEachMessageComesItCountsOnce() {
        String order = "ORD" + UUID.randomUUID();
        String sku = "SKU-" + UUID.randomUUID();
        inventory().receive(sku, 10);
        Event created = created(order, sku, 4);
        Event sameUnderAnotherId = created(order, sku, 4);
        inventory().send(List.of(created, created, created));
        inventory().answer(order);
        inventory().send(List.of(sameUnderAnotherId, created));
        inventory()
                .until(() ->
                        assertThat(inventory().consumeLog(sameUnderAnotherId)).isEqualTo("IGNORED"));
        assertThat(inventory().available(sku)).isEqualTo(6);

        Event cancel = canceled(order, sku, 4);
        inventory().send(List.of(cancel, cancel, cancel));
        inventory().until(() -> assertThat(inventory().available(sku)).isEqualTo(10));
        Event lateCopy = created(order, sku, 4);
        inventory().send(List.of(created, lateCopy));
        inventory().until(() -> assertThat(inventory().consumeLog(lateCopy)).isEqualTo("IGNORED"));
        assertThat(inventory().available(sku)).isEqualTo(10);
        assertThat(inventory().published(order)).hasSize(1);
        assertThat(inventory().count("SELECT count(*) FROM t_inventory_txn WHERE biz_key = ?", order))
                .isEqualTo(2);
        inventory().untilGateAgrees(sku);
    }

    @Test
    default void aMessageWithImpossibleLinesIsADeadLetterAndWritesNothing() {
        String order = "ORD" + UUID.randomUUID();
        Event negative = created(order, "SKU-A", -1);
        Event empty = created(order);
        Event injected = created(order, "A'; DROP TABLE t_inventory; --", 1);
        inventory().send(List.of(negative, empty, injected));
        for (Event event : List.of(negative, empty, injected)) {
            inventory().until(() -> assertThat(inventory().consumeLog(event)).isEqualTo("FAILED"));
        }
        assertThat(inventory().get("/reservations/" + order).code()).isEqualTo("NOT_FOUND");
        assertThat(inventory().published(order)).isEmpty();
    }

    @Test
    default void ordersAndTheirCancelsAtOnceInAnyOrderLeakNothing() {
        String sku = "SKU-" + UUID.randomUUID();
        inventory().receive(sku, 100);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String order = "ORD" + UUID.randomUUID();
            events.add(created(order, sku, 1 + i % 3));
            events.add(canceled(order, sku, 1 + i % 3));
        }
        Collections.shuffle(events, new Random(1));
        inventory().send(events);
        inventory()
                .until(() -> assertThat(events)
                        .allMatch(event -> List.of("SUCCESS", "IGNORED")
                                .contains(inventory().consumeLog(event))));
        assertThat(inventory().available(sku)).isEqualTo(100);
        assertThat(inventory().reserved(sku)).isZero();
        inventory().untilGateAgrees(sku);
    }
}
