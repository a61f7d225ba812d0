package dev.waybill.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inventory.domain.Cause;
import dev.waybill.inventory.domain.Line;
import dev.waybill.inventory.domain.OrderLines;
import dev.waybill.inventory.domain.ReservationResult;
import dev.waybill.inventory.domain.ReservationService;
import dev.waybill.servers.Database;
import dev.waybill.servers.Redis;
import dev.waybill.servicetestkit.ConcurrentCalls;
import dev.waybill.servicetestkit.ServiceSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What an order costs the database, and that its locks never meet those of another order the wrong way round. */
interface OrderStatements {

    /** Without a gate: every order goes to the rows. */
    static RunningInventory start(Database database, Redis redis) {
        return RunningInventory.start(
                ServiceSettings.onDatabase(database)
                        .set("waybill.broker", "memory")
                        .redis(redis.url())
                        .set("inventory.gate.redis.uri", ""),
                SentStatements.Counted.class);
    }

    RunningInventory inventory();

    private List<String> stocked(int lines, int units) {
        String prefix = UUID.randomUUID().toString().substring(0, 8) + "-";
        List<String> skus = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            skus.add(prefix + i);
            inventory()
                    .update(
                            "INSERT INTO t_inventory"
                                    + " (warehouse_id, sku_id, available, reserved, version, created_at, updated_at)"
                                    + " VALUES (1, ?, ?, 0, 1, '2026-01-01', '2026-01-01')",
                            prefix + i,
                            units);
        }
        return skus;
    }

    private OrderLines order(List<String> skus) {
        return new OrderLines(
                "ORD" + UUID.randomUUID(),
                skus.stream().map(sku -> new Line(1, sku, 1)).toList());
    }

    private ReservationResult reserve(OrderLines order) {
        return inventory()
                .bean(ReservationService.class)
                .reserve(order, new Cause("OrderCreated", UUID.randomUUID().toString()));
    }

    private List<String> statements(Runnable step) {
        SentStatements statements = inventory().bean(SentStatements.class);
        statements.forget();
        step.run();
        return statements.sent();
    }

    @Test
    default void anOrderCostsTheSameStatementsHoweverManyLinesItHas() {
        for (int lines : new int[] {1, 2, 50, 500}) {
            OrderLines order = order(stocked(lines, 5));
            assertThat(statements(() -> reserve(order)))
                    .as("reserving %s lines", lines)
                    .hasSize(8)
                    .satisfiesOnlyOnce(
                            sql -> assertThat(sql).startsWith("SELECT").contains("t_inventory ", "FOR UPDATE"));
            Cause cause = new Cause("OrderCanceled", "event");
            assertThat(statements(
                            () -> inventory().bean(ReservationService.class).release(order.orderNo(), cause)))
                    .as("releasing %s lines", lines)
                    .hasSize(7);
        }
    }

    @Test
    default void moreLinesThanOneStatementTakesAreStillOneOrder() {
        List<String> skus = stocked(1_000, 1);
        OrderLines order = order(skus);
        assertThat(statements(() -> assertThat(reserve(order)).isInstanceOf(ReservationResult.Reserved.class)))
                .hasSize(11);
        assertThat(reserve(order(skus.subList(998, 1_000)))).isInstanceOf(ReservationResult.Refused.class);
        assertThat(inventory().count("SELECT count(*) FROM t_inventory_txn WHERE biz_key = ?", order.orderNo()))
                .isEqualTo(1_000);
    }

    /** The keys are given backwards; a walk along the primary key locks them forwards all the same. */
    @Test
    default void theLockingStatementWalksThePrimaryKey() {
        List<String> skus = stocked(3, 1);
        String sql = statements(() -> reserve(order(skus))).stream()
                .filter(each -> each.endsWith("FOR UPDATE") && each.contains("t_inventory "))
                .findFirst()
                .orElseThrow();
        for (List<String> wanted : List.of(skus, List.of(skus.get(2), skus.get(1), skus.get(0)))) {
            Object[] keys = wanted.stream()
                    .flatMap(sku -> List.<Object>of(1, sku).stream())
                    .toArray();
            Map<String, Object> plan = inventory().rows("EXPLAIN " + sql, keys).get(0);
            assertThat(plan).containsEntry("type", "range").containsEntry("key", "PRIMARY");
            assertThat(String.valueOf(plan.get("Extra"))).doesNotContain("filesort");
        }
    }

    @Test
    default void hotOrdersWithTheirLinesInAnyOrderNeverEndInADeadlock() {
        List<String> skus = stocked(40, 1_000_000);
        List<Integer> reserved = ConcurrentCalls.run(8, caller -> {
            Random random = new Random(caller);
            List<String> own = new ArrayList<>(skus);
            int done = 0;
            for (int i = 0; i < 25; i++) {
                Collections.shuffle(own, random);
                if (caller % 2 == 0) {
                    Collections.reverse(own);
                }
                OrderLines order = order(own.subList(0, 20));
                assertThat(reserve(order)).isInstanceOf(ReservationResult.Reserved.class);
                if (i % 3 == 0) {
                    inventory()
                            .bean(ReservationService.class)
                            .release(order.orderNo(), new Cause("OrderCanceled", "event"));
                } else {
                    done++;
                }
            }
            return done;
        });
        int orders = reserved.stream().mapToInt(Integer::intValue).sum();
        assertThat(inventory()
                        .count(
                                "SELECT sum(reserved) FROM t_inventory WHERE sku_id LIKE ?",
                                skus.get(0).substring(0, 9) + "%"))
                .isEqualTo(orders * 20L);
    }
}
