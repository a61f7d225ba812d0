package dev.waybill.inventory.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.inventory.domain.HoldResult;
import dev.waybill.inventory.domain.Line;
import dev.waybill.inventory.domain.OrderLines;
import dev.waybill.inventory.domain.StockComparison;
import dev.waybill.inventory.domain.StockComparison.Verdict;
import dev.waybill.inventory.domain.StockGate;
import dev.waybill.inventory.domain.StockGate.View;
import dev.waybill.inventory.domain.StockKey;
import dev.waybill.inventory.domain.StockLevel;
import dev.waybill.servicetestkit.ConcurrentCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What every stock gate does. */
interface StockGateContract {

    Duration LONG = Duration.ofMinutes(5);
    Duration SHORT = Duration.ofMillis(1);

    /** A gate whose holds last this long. */
    StockGate gate(Duration lease);

    private static StockKey fresh() {
        return new StockKey(1, "sku-" + UUID.randomUUID());
    }

    private static StockLevel level(StockKey key, long available, long version) {
        return new StockLevel(key, available, 0, version);
    }

    private static OrderLines basket(String orderNo, Object... keysAndQuantities) {
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < keysAndQuantities.length; i += 2) {
            lines.add(new Line((StockKey) keysAndQuantities[i], (Integer) keysAndQuantities[i + 1]));
        }
        return new OrderLines(orderNo, lines);
    }

    private static View view(StockGate gate, StockKey key) {
        return gate.look(key).orElseThrow();
    }

    @Test
    default void whatItWasNeverToldIsUnknownAndNotTooFew() {
        StockGate gate = gate(LONG);
        StockKey known = fresh();
        StockKey strange = fresh();
        gate.learn(List.of(level(known, 5, 1)));

        assertThat(gate.tryReserve(basket("A", known, 1, strange, 1)))
                .isEqualTo(new HoldResult.Unknown(List.of(strange)));
        assertThat(view(gate, known).held()).isZero();
        assertThat(gate.look(strange)).isEmpty();
    }

    @Test
    default void allLinesAreHeldOrNone() {
        StockGate gate = gate(LONG);
        StockKey much = fresh();
        StockKey little = fresh();
        gate.learn(List.of(level(much, 100, 1), level(little, 2, 1)));

        assertThat(gate.tryReserve(basket("A", much, 10, little, 3))).isEqualTo(new HoldResult.TooFew(List.of(little)));
        assertThat(view(gate, much).held()).isZero();
        assertThat(gate.tryReserve(basket("A", much, 10, little, 2))).isEqualTo(new HoldResult.Held());
        assertThat(view(gate, much)).isEqualTo(new View(100, 10, 1));
        assertThat(gate.tryReserve(basket("B", little, 1))).isEqualTo(new HoldResult.TooFew(List.of(little)));
    }

    @Test
    default void theSameOrderHoldsItsStockOnce() {
        StockGate gate = gate(LONG);
        StockKey key = fresh();
        gate.learn(List.of(level(key, 5, 1)));
        for (int repeat = 0; repeat < 3; repeat++) {
            assertThat(gate.tryReserve(basket("A", key, 4))).isEqualTo(new HoldResult.Held());
        }
        assertThat(view(gate, key).held()).isEqualTo(4);
        assertThat(gate.tryReserve(basket("A", key, 5))).isEqualTo(new HoldResult.Held());
        assertThat(view(gate, key).held()).isEqualTo(5);
    }

    @Test
    default void aHoldIsGivenBackOnce() {
        StockGate gate = gate(LONG);
        StockKey key = fresh();
        gate.learn(List.of(level(key, 5, 1)));
        gate.tryReserve(basket("A", key, 2));
        gate.tryReserve(basket("B", key, 3));
        for (int repeat = 0; repeat < 3; repeat++) {
            gate.giveBack("A", List.of(key, fresh()));
        }
        assertThat(view(gate, key)).isEqualTo(new View(5, 3, 1));
    }

    @Test
    default void settlingTurnsTheHoldIntoTheDatabasesNumber() {
        StockGate gate = gate(LONG);
        StockKey key = fresh();
        gate.learn(List.of(level(key, 5, 1)));
        gate.tryReserve(basket("A", key, 2));
        gate.settle("A", List.of(level(key, 3, 2)));
        gate.settle("A", List.of(level(key, 3, 2)));
        assertThat(view(gate, key)).isEqualTo(new View(3, 0, 2));
    }

    @Test
    default void ofTwoLevelsTheLaterVersionStaysWhateverTheOrderTheyArriveIn() {
        StockGate gate = gate(LONG);
        StockKey key = fresh();
        gate.learn(List.of(level(key, 5, 1)));
        gate.tryReserve(basket("A", key, 1));
        gate.tryReserve(basket("B", key, 1));
        gate.settle("B", List.of(level(key, 3, 3)));
        gate.settle("A", List.of(level(key, 4, 2)));
        assertThat(view(gate, key)).isEqualTo(new View(3, 0, 3));
    }

    @Test
    default void aComparisonLeavesOrdersUnderWayAloneAndFindsNothingWhereAllIsWell() {
        StockGate gate = gate(LONG);
        StockKey key = fresh();
        gate.learn(List.of(level(key, 5, 1)));
        gate.tryReserve(basket("A", key, 2));
        assertThat(gate.compare(List.of(level(key, 5, 1))))
                .containsExactly(new StockComparison(level(key, 5, 1), Verdict.AGREES, 5, 0));
        assertThat(view(gate, key)).isEqualTo(new View(5, 2, 1));
    }

    @Test
    default void aComparisonCorrectsWhatWasLostMissedOrWrong() {
        StockGate gate = gate(LONG);
        StockKey lost = fresh();
        StockKey missed = fresh();
        StockKey wrong = fresh();
        gate.learn(List.of(level(missed, 5, 1), level(wrong, 5, 1)));
        List<StockLevel> database = List.of(level(lost, 9, 7), level(missed, 8, 2), level(wrong, 6, 1));

        assertThat(gate.compare(database).stream().map(StockComparison::verdict))
                .containsExactly(Verdict.LOST, Verdict.BEHIND, Verdict.DRIFTED);
        assertThat(view(gate, lost)).isEqualTo(new View(9, 0, 7));
        assertThat(view(gate, missed)).isEqualTo(new View(8, 0, 2));
        assertThat(view(gate, wrong)).isEqualTo(new View(6, 0, 1));
        assertThat(gate.compare(database).stream().map(StockComparison::verdict))
                .containsOnly(Verdict.AGREES);
    }

    @Test
    default void aStaleReadNeverOverwritesALaterLevelButAResetDoes() {
        StockGate gate = gate(LONG);
        StockKey key = fresh();
        gate.learn(List.of(level(key, 3, 4)));
        assertThat(gate.compare(List.of(level(key, 5, 2))))
                .extracting(StockComparison::verdict)
                .containsOnly(Verdict.AHEAD);
        assertThat(view(gate, key)).isEqualTo(new View(3, 0, 4));
        gate.reset(level(key, 5, 2));
        assertThat(view(gate, key)).isEqualTo(new View(5, 0, 2));
    }

    @Test
    default void aHoldOfADeadProcessEndsWithItsLease() {
        StockGate gate = gate(SHORT);
        StockKey key = fresh();
        gate.learn(List.of(level(key, 5, 1)));
        gate.tryReserve(basket("DEAD", key, 2));
        List<StockComparison> found = new ArrayList<>();
        await().until(() -> {
            found.addAll(gate.compare(List.of(level(key, 5, 1))));
            return view(gate, key).held() == 0;
        });
        assertThat(found.stream().mapToInt(StockComparison::abandoned).sum()).isEqualTo(1);
        assertThat(found).extracting(StockComparison::verdict).containsOnly(Verdict.AGREES);
    }

    @Test
    default void manyCallersAtOnceNeverHoldMoreThanThereIs() {
        StockGate gate = gate(LONG);
        List<StockKey> keys = List.of(fresh(), fresh(), fresh());
        gate.learn(keys.stream().map(key -> level(key, 100, 1)).toList());
        List<Long> heldByCallers = ConcurrentCalls.run(16, caller -> {
            Random random = new Random(caller);
            long held = 0;
            for (int i = 0; i < 40; i++) {
                StockKey one = keys.get(random.nextInt(3));
                if (gate.tryReserve(basket("caller-" + caller + "-" + i, one, 1)) instanceof HoldResult.Held) {
                    held++;
                }
            }
            return held;
        });
        long held = heldByCallers.stream().mapToLong(Long::longValue).sum();
        assertThat(held)
                .isEqualTo(
                        keys.stream().mapToLong(key -> view(gate, key).held()).sum());
        assertThat(keys).allMatch(key -> view(gate, key).held() <= 100);
        assertThat(held).isEqualTo(300);
    }

    @Test
    default void itAnswers() {
        assertThat(gate(LONG).answers()).isTrue();
    }
}
