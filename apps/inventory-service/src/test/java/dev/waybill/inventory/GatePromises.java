package dev.waybill.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inventory.domain.Cause;
import dev.waybill.inventory.domain.Line;
import dev.waybill.inventory.domain.OrderLines;
import dev.waybill.inventory.domain.ReservationResult;
import dev.waybill.inventory.domain.ReservationService;
import dev.waybill.inventory.domain.ShortItem;
import dev.waybill.inventory.domain.StockGate;
import dev.waybill.inventory.domain.StockKey;
import dev.waybill.inventory.domain.StockLevel;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionTemplate;

/** What the service promises where Redis stands in front of the rows. */
interface GatePromises extends InventoryPromises {

    @Test
    default void aTransactionThatDoesNotCommitGivesTheGatesStockBackAtOnce() {
        String sku = "SKU-" + UUID.randomUUID();
        StockKey key = new StockKey(1, sku);
        StockGate gate = inventory().bean(StockGate.class);
        ReservationService reservations = inventory().bean(ReservationService.class);
        inventory().receive(sku, 10);
        OrderLines basket = new OrderLines("ORD" + UUID.randomUUID(), List.of(new Line(key, 4)));
        inventory().bean(TransactionTemplate.class).executeWithoutResult(transaction -> {
            ReservationResult outcome = reservations.reserve(basket, new Cause("OrderCreated", "event"));
            assertThat(outcome).isEqualTo(new ReservationResult.Reserved(basket));
            assertThat(gate.look(key).orElseThrow().held()).isEqualTo(4);
            transaction.setRollbackOnly();
        });
        assertThat(gate.look(key).orElseThrow().held()).isZero();
        assertThat(inventory().available(sku)).isEqualTo(10);
        assertThat(inventory().get("/reservations/" + basket.orderNo()).code()).isEqualTo("NOT_FOUND");
    }

    /** The gate gets a version that the database has not reached: only a reconciler that compares twice would correct it. */
    @Test
    default void aGateThatCountsTooLittleRefusesNobodyAndOneThatCountsTooMuchSellsNothingTwice() {
        String sku = "SKU-" + UUID.randomUUID();
        StockKey key = new StockKey(1, sku);
        StockGate gate = inventory().bean(StockGate.class);
        inventory().receive(sku, 3);
        for (long wrong : new long[] {0, 1000}) {
            gate.reset(List.of(new StockLevel(key, wrong, 0, 999, Instant.EPOCH)));
            assertThat(reserve(new Line(key, 1))).isInstanceOf(ReservationResult.Reserved.class);
        }
        gate.reset(List.of(new StockLevel(key, 1000, 0, 999, Instant.EPOCH)));
        assertThat(reserve(new Line(key, 2)))
                .isEqualTo(new ReservationResult.Refused(List.of(new ShortItem(1, sku, 2, 1))));
        assertThat(inventory().available(sku)).isEqualTo(1);
        inventory().untilGateAgrees(sku);
    }

    private ReservationResult reserve(Line line) {
        OrderLines basket = new OrderLines("ORD" + UUID.randomUUID(), List.of(line));
        Cause cause = new Cause("OrderCreated", "event");
        return inventory().bean(ReservationService.class).reserve(basket, cause);
    }
}
