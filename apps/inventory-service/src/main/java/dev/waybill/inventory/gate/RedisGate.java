package dev.waybill.inventory.gate;

import dev.waybill.inventory.domain.GateUnavailableException;
import dev.waybill.inventory.domain.HoldResult;
import dev.waybill.inventory.domain.Line;
import dev.waybill.inventory.domain.OrderLines;
import dev.waybill.inventory.domain.StockComparison;
import dev.waybill.inventory.domain.StockGate;
import dev.waybill.inventory.domain.StockKey;
import dev.waybill.inventory.domain.StockLevel;
import dev.waybill.redis.LuaScript;
import dev.waybill.redis.RedisLink;
import dev.waybill.redis.RedisUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The gate in Redis: a hash {@code inv:{warehouseId}:{skuId}} per key, one Lua script per step, under Redis's own clock.
 *
 * <p>An order's keys are touched by one script, so they have to be on one node: on Redis Cluster give {@code keyPrefix} a hash
 * tag, such as <code>{inv}:</code>.
 */
public final class RedisGate implements StockGate {

    private static final LuaScript TRY_RESERVE = LuaScript.load(RedisGate.class, "try_reserve.lua");
    private static final LuaScript SETTLE = LuaScript.load(RedisGate.class, "settle.lua");
    private static final LuaScript COMPARE = LuaScript.load(RedisGate.class, "compare.lua");
    private static final LuaScript LOOK = LuaScript.load(RedisGate.class, "look.lua");

    private static final LuaScript PROBE = LuaScript.load(RedisGate.class, "probe.lua");

    private final RedisLink redis;
    private final String keyPrefix;
    private final Duration lease;

    public RedisGate(RedisLink redis, String keyPrefix, Duration lease) {
        this.redis = redis;
        this.keyPrefix = keyPrefix;
        this.lease = lease;
    }

    @Override
    public HoldResult tryReserve(OrderLines order) {
        List<String> arguments = new ArrayList<>(List.of(order.orderNo(), Long.toString(lease.toMillis())));
        for (Line line : order.lines()) {
            arguments.add(Long.toString(line.quantity()));
        }
        List<Object> answer = run(TRY_RESERVE, order.keys(), arguments);
        return switch (answer.get(0).toString()) {
            case "HELD" -> new HoldResult.Held();
            case "SHORT" -> new HoldResult.TooFew(named(answer, order.keys()));
            default -> new HoldResult.Unknown(named(answer, order.keys()));
        };
    }

    private static List<StockKey> named(List<Object> answer, List<StockKey> keys) {
        return answer.stream()
                .skip(1)
                .map(index -> keys.get(Integer.parseInt(index.toString()) - 1))
                .toList();
    }

    @Override
    public void giveBack(String orderNo, List<StockKey> keys) {
        List<String> arguments = new ArrayList<>(List.of(orderNo));
        keys.forEach(key -> arguments.addAll(List.of("", "")));
        run(SETTLE, keys, arguments);
    }

    @Override
    public void settle(String orderNo, List<StockLevel> levels) {
        run(SETTLE, keys(levels), arguments(orderNo, levels));
    }

    @Override
    public List<StockComparison> compare(List<StockLevel> levels) {
        return compare("", levels);
    }

    @Override
    public void reset(StockLevel level) {
        compare("reset", List.of(level));
    }

    private List<StockComparison> compare(String mode, List<StockLevel> levels) {
        List<Object> answer = run(COMPARE, keys(levels), arguments(mode, levels));
        List<StockComparison> comparisons = new ArrayList<>(levels.size());
        for (int i = 0; i < levels.size(); i++) {
            comparisons.add(new StockComparison(
                    levels.get(i),
                    StockComparison.Verdict.valueOf(answer.get(3 * i).toString()),
                    Long.parseLong(answer.get(3 * i + 1).toString()),
                    Integer.parseInt(answer.get(3 * i + 2).toString())));
        }
        return comparisons;
    }

    @Override
    public Optional<View> look(StockKey key) {
        List<Object> level = run(LOOK, List.of(key), List.of());
        String available = level.get(0).toString();
        String version = level.get(2).toString();
        return available.isEmpty() || version.isEmpty()
                ? Optional.empty()
                : Optional.of(new View(
                        Long.parseLong(available), Long.parseLong(level.get(1).toString()), Long.parseLong(version)));
    }

    @Override
    public boolean answers() {
        try {
            run(PROBE, List.of(new StockKey(0, "is-anybody-there")), List.of());
            return true;
        } catch (GateUnavailableException e) {
            return false;
        }
    }

    private static List<StockKey> keys(List<StockLevel> levels) {
        return levels.stream().map(StockLevel::key).toList();
    }

    private static List<String> arguments(String first, List<StockLevel> levels) {
        List<String> arguments = new ArrayList<>(List.of(first));
        for (StockLevel level : levels) {
            arguments.add(Long.toString(level.available()));
            arguments.add(Long.toString(level.version()));
        }
        return arguments;
    }

    private List<Object> run(LuaScript script, List<StockKey> keys, List<String> arguments) {
        return guarded(() -> redis.run(
                script, keys.stream().map(key -> keyPrefix + key).toList(), arguments.toArray(new String[0])));
    }

    private static <T> T guarded(Supplier<T> call) {
        try {
            return call.get();
        } catch (RedisUnavailableException e) {
            throw new GateUnavailableException(e);
        }
    }
}
