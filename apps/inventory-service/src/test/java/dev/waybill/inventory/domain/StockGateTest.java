package dev.waybill.inventory.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.inventory.domain.StockComparison.Verdict;
import dev.waybill.inventory.domain.StockGate.View;
import dev.waybill.redis.RedisLink;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.ConcurrentCalls;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the gate in front of the rows does, call by call. */
@Servers(Server.REDIS)
class StockGateTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static RedisLink link;
    private static RedisClient client;
    private static RedisCommands<String, String> direct;

    private final String prefix = UUID.randomUUID() + ":inv:";

    @BeforeAll
    static void connect(Redis redis) {
        link = new RedisLink(redis.url(), TIMEOUT);
        client = RedisClient.create(redis.url());
        direct = client.connect().sync();
    }

    @AfterAll
    static void disconnect() {
        link.close();
        client.shutdown();
    }

    @AfterEach
    void forget() {
        direct.keys(prefix + "*").forEach(direct::del);
    }

    /** A gate whose holds last this long. */
    private StockGate gate(Duration lease) {
        return new StockGate(link, prefix, lease);
    }

    private static StockKey fresh() {
        return new StockKey(1, "sku-" + UUID.randomUUID());
    }

    private static StockLevel level(StockKey key, long available, long version) {
        return new StockLevel(key, available, 0, version, Instant.EPOCH);
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
    void whatItWasNeverToldIsUnknownAndNotTooFew() {
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
    void allLinesAreHeldOrNone() {
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
    void theSameOrderHoldsItsStockOnce() {
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
    void aHoldIsGivenBackOnce() {
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
    void settlingTurnsTheHoldIntoTheDatabasesNumber() {
        StockGate gate = gate(LONG);
        StockKey key = fresh();
        gate.learn(List.of(level(key, 5, 1)));
        gate.tryReserve(basket("A", key, 2));
        gate.settle("A", List.of(level(key, 3, 2)));
        gate.settle("A", List.of(level(key, 3, 2)));
        assertThat(view(gate, key)).isEqualTo(new View(3, 0, 2));
    }

    @Test
    void ofTwoLevelsTheLaterVersionStaysWhateverTheOrderTheyArriveIn() {
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
    void aComparisonLeavesOrdersUnderWayAloneAndFindsNothingWhereAllIsWell() {
        StockGate gate = gate(LONG);
        StockKey key = fresh();
        gate.learn(List.of(level(key, 5, 1)));
        gate.tryReserve(basket("A", key, 2));
        assertThat(gate.compare(List.of(level(key, 5, 1))))
                .containsExactly(new StockComparison(level(key, 5, 1), Verdict.AGREES, 5, 1, 0));
        assertThat(view(gate, key)).isEqualTo(new View(5, 2, 1));
    }

    @Test
    void aComparisonCorrectsWhatWasLostMissedOrWrong() {
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
    void aStaleReadNeverOverwritesALaterLevelButAResetDoes() {
        StockGate gate = gate(LONG);
        StockKey key = fresh();
        gate.learn(List.of(level(key, 3, 4)));
        assertThat(gate.compare(List.of(level(key, 5, 2))))
                .extracting(StockComparison::verdict)
                .containsOnly(Verdict.AHEAD);
        assertThat(view(gate, key)).isEqualTo(new View(3, 0, 4));
        gate.reset(List.of(level(key, 5, 2)));
        assertThat(view(gate, key)).isEqualTo(new View(5, 0, 2));
    }

    @Test
    void aHoldOfADeadProcessEndsWithItsLease() {
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
    void manyCallersAtOnceNeverHoldMoreThanThereIs() {
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
    void itAnswers() {
        assertThat(gate(LONG).answers()).isTrue();
    }

    @Test
    void aKeyIsNamedWhenTheLeaseOfItsEarliestHoldHasEndedAlsoWhenLaterOnesFollow() {
        StockKey hot = fresh();
        StockKey settled = fresh();
        StockGate brief = gate(SHORT);
        brief.learn(List.of(level(hot, 9, 1), level(settled, 9, 1)));
        brief.tryReserve(basket("DEAD", hot, 2));
        brief.tryReserve(basket("DONE", settled, 2));
        brief.settle("DONE", List.of(level(settled, 7, 2)));
        StockGate gate = gate(LONG);
        gate.tryReserve(basket("LIVE", hot, 3));

        await().untilAsserted(() -> assertThat(gate.lapsed(10)).containsExactly(hot));
        assertThat(gate.lapsed(10)).as("put off while the caller compares").isEmpty();
        assertThat(gate.compare(List.of(level(hot, 9, 1))))
                .extracting(StockComparison::abandoned)
                .containsExactly(1);
        assertThat(view(gate, hot)).isEqualTo(new View(9, 3, 1));
        assertThat(direct.zscore(prefix + "leases", prefix + hot))
                .as("by the end of the hold that is left")
                .isGreaterThan((double) System.currentTimeMillis());
    }

    @Test
    void everythingIsRepairedOnceHoweverManyReconcilersThereAre() {
        StockGate gate = gate(LONG);
        Instant time = Instant.ofEpochMilli(1_000);
        assertThat(gate.progress("A")).isEqualTo(new Progress.RepairAll());
        assertThat(gate.progress("B")).isEqualTo(new Progress.OthersRepair());
        assertThat(gate.repairing("A")).isTrue();
        assertThat(gate.repairing("B")).isFalse();
        gate.compared("B", time);
        assertThat(gate.progress("B")).isEqualTo(new Progress.OthersRepair());

        gate.compared("A", time);
        assertThat(gate.progress("B")).isEqualTo(new Progress.ComparedUntil(time));
        gate.compared("B", time.plusMillis(5));
        gate.compared("A", time.plusMillis(4));
        assertThat(gate.progress("A")).isEqualTo(new Progress.ComparedUntil(time.plusMillis(5)));
    }

    @Test
    void aRepairWhoseProcessDiedIsTakenOver() {
        StockGate gate = gate(SHORT);
        gate.progress("DEAD");
        await().untilAsserted(() -> assertThat(gate.progress("B")).isEqualTo(new Progress.RepairAll()));
        gate.compared("DEAD", Instant.EPOCH);
        assertThat(gate.repairing("DEAD")).isFalse();
        assertThat(gate.repairing("B")).isTrue();
    }

    /** At every point of a pass: whoever ends a pass that began before the loss must not hide it. */
    @Test
    void aLossInTheMiddleOfAPassIsNeverHiddenByItsEnd() {
        StockGate gate = gate(LONG);
        gate.progress("A");
        forget();
        assertThat(gate.repairing("A")).isFalse();
        gate.compared("A", Instant.EPOCH);
        assertThat(gate.progress("A")).as("lost during a repair").isEqualTo(new Progress.RepairAll());

        gate.compared("A", Instant.EPOCH);
        gate.progress("A");
        forget();
        gate.compared("A", Instant.EPOCH.plusMillis(1));
        assertThat(gate.progress("B")).as("lost during a pass").isEqualTo(new Progress.RepairAll());
    }

    @Test
    void withoutARedisNothingIsHeldAndTheRowsAloneDecide() {
        StockGate gate = new StockGate(null, prefix, LONG);
        StockKey key = fresh();
        gate.learn(List.of(level(key, 5, 1)));
        assertThat(gate.tryReserve(basket("A", key, 1))).isEqualTo(new HoldResult.TooFew(List.of()));
        assertThat(gate.look(key)).isEmpty();
        assertThat(gate.answers()).isTrue();
    }

    @Test
    void theKeyIsTheSpecifications() {
        StockKey key = new StockKey(7, "TEA-1");
        gate(LONG).learn(List.of(level(key, 5, 1)));
        assertThat(direct.hget(prefix + "7:TEA-1", "available")).isEqualTo("5");
    }

    @Test
    void whatSomebodyElseWroteThereIsLostAndRebuilt() {
        StockGate gate = gate(LONG);
        StockKey key = new StockKey(7, "FOREIGN-1");
        StockLevel level = level(key, 5, 1);
        OrderLines basket = new OrderLines("A", List.of(new Line(key, 1)));
        for (String foreign : List.of("a string", "a list", "no numbers")) {
            direct.del(prefix + key);
            switch (foreign) {
                case "a string" -> direct.set(prefix + key, "5");
                case "a list" -> direct.rpush(prefix + key, "5");
                default -> direct.hset(prefix + key, "available", "many");
            }
            assertThat(gate.tryReserve(basket)).as(foreign).isInstanceOf(HoldResult.Unknown.class);
            assertThat(gate.look(key)).as(foreign).isEmpty();
            gate.learn(List.of(level));
            assertThat(gate.tryReserve(basket)).as(foreign).isEqualTo(new HoldResult.Held());
            gate.giveBack("A", List.of(key));
        }
        direct.hincrby(prefix + key, "held", 3);
        assertThat(gate.compare(List.of(level)))
                .extracting(StockComparison::verdict)
                .containsOnly(StockComparison.Verdict.DRIFTED);
        assertThat(gate.look(key).orElseThrow().held()).isZero();
    }

    @Test
    void aRedisThatIsAwayIsToldApartFromAnEmptyOne(Redis redis) {
        try (FaultProxy proxy = FaultProxy.to(redis);
                RedisLink through = new RedisLink(
                        "redis://:" + redis.password() + "@" + proxy.host() + ":" + proxy.port(),
                        Duration.ofSeconds(2))) {
            StockGate gate = new StockGate(through, prefix, LONG);
            assertThat(gate.answers()).isTrue();
            proxy.refuse();
            assertThat(gate.answers()).isFalse();
        }
    }
}
