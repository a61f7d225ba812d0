package dev.waybill.inventory.domain;

import dev.waybill.inbox.Dependency;
import dev.waybill.inventory.InventorySettings;
import dev.waybill.redis.LuaScript;
import dev.waybill.redis.RedisLink;
import dev.waybill.redis.RedisUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * A counter in front of the stock's rows, so that orders for what is sold out do not queue for the rows' locks. For each key it
 * has the database's last known number and version, and the quantities that orders under way hold; the difference is free.
 * Where the settings name no Redis there is no gate: nothing is held, and the rows alone decide.
 *
 * <p>A hash {@code inv:{warehouseId}:{skuId}} per key, one Lua script per step, under Redis's own clock. {@code inv:leases} names
 * the keys with holds by the end of the earliest lease, {@code inv:compared} tells how far the reconciler came. One script
 * touches all keys of an order, so they have to be on one node: on Redis Cluster give the prefix a hash tag, <code>{inv}:</code>.
 *
 * <p>Every call is atomic. A call that comes twice, late or in the wrong order does no harm: a hold is dropped once, and of two
 * levels the later version stays. A gate that lost its data, or has a number that is too high or too low, costs work, never
 * stock, because the rows decide. Every method throws {@link GateUnavailableException} when the gate did not answer; the call
 * may or may not have taken effect. While that is so the listeners pause: orders wait in the broker, no delivery is spent.
 */
@Component
public class StockGate implements Dependency, AutoCloseable {

    /** In place of an order number where no hold belongs to the levels. */
    static final String NOBODY = "";

    private static final LuaScript TRY_RESERVE = LuaScript.load(StockGate.class, "try_reserve.lua");
    private static final LuaScript SETTLE = LuaScript.load(StockGate.class, "settle.lua");
    private static final LuaScript COMPARE = LuaScript.load(StockGate.class, "compare.lua");
    private static final LuaScript LAPSED = LuaScript.load(StockGate.class, "lapsed.lua");
    private static final LuaScript PROGRESS = LuaScript.load(StockGate.class, "progress.lua");
    private static final LuaScript LOOK = LuaScript.load(StockGate.class, "look.lua");
    private static final LuaScript PROBE = LuaScript.load(StockGate.class, "probe.lua");

    /** What the script for comparing returns for each key. */
    private static final int FACTS = 4;

    private final @Nullable RedisLink redis;
    private final String keyPrefix;
    private final String leaseMillis;

    /** The link is the gate's own: the guards' Redis may be another one, with other time-outs. */
    @Autowired
    StockGate(InventorySettings settings) {
        this(
                settings.gate().redis().link(),
                settings.gate().keyPrefix(),
                settings.gate().lease());
    }

    StockGate(@Nullable RedisLink redis, String keyPrefix, Duration lease) {
        this.redis = redis;
        this.keyPrefix = keyPrefix;
        this.leaseMillis = Long.toString(lease.toMillis());
    }

    /** Whether there is a Redis to ask. */
    public boolean isThere() {
        return redis != null;
    }

    /** Holds all lines of the order, or none. A repeat for the same order keeps its holds and renews their lease. */
    public HoldResult tryReserve(OrderLines order) {
        List<String> arguments = new ArrayList<>(List.of(order.orderNo(), leaseMillis));
        order.items().forEach(line -> arguments.add(Long.toString(line.quantity())));
        List<String> answer = run(TRY_RESERVE, order.keys(), arguments);
        List<StockKey> named = answer.stream()
                .skip(1)
                .map(index -> order.keys().get(Integer.parseInt(index) - 1))
                .toList();
        return switch (answer.isEmpty() ? "SHORT" : answer.get(0)) {
            case "HELD" -> new HoldResult.Held();
            case "SHORT" -> new HoldResult.TooFew(named);
            default -> new HoldResult.Unknown(named);
        };
    }

    /** Drops what the order holds: its transaction did not commit. */
    public void giveBack(String orderNo, List<StockKey> keys) {
        List<String> arguments = new ArrayList<>(List.of(orderNo));
        keys.forEach(key -> arguments.addAll(List.of("", "")));
        run(SETTLE, keys, arguments);
    }

    /** Drops what the order holds and takes these levels over where they are later: its transaction committed. */
    public void settle(String orderNo, List<StockLevel> levels) {
        run(SETTLE, keys(levels), arguments(orderNo, levels));
    }

    /** Takes these levels over where the gate has none or earlier ones. */
    public void learn(List<StockLevel> levels) {
        run(SETTLE, keys(levels), arguments(NOBODY, levels));
    }

    /**
     * Compares the gate's levels with the database's, drops holds whose lease has ended, and corrects the gate. A level in the
     * gate with a later version is left as it is, because the row may have changed since it was read. Results come in the given
     * order.
     */
    List<StockComparison> compare(List<StockLevel> levels) {
        return compare("", levels);
    }

    /** Takes these levels over although the gate has later versions: the database was restored to an earlier state. */
    public void reset(List<StockLevel> levels) {
        compare("reset", levels);
    }

    private List<StockComparison> compare(String mode, List<StockLevel> levels) {
        List<String> facts = run(COMPARE, keys(levels), arguments(mode, levels));
        List<StockComparison> comparisons = new ArrayList<>(levels.size());
        for (int i = 0; i < facts.size(); i += FACTS) {
            comparisons.add(new StockComparison(
                    levels.get(i / FACTS),
                    StockComparison.Verdict.valueOf(facts.get(i)),
                    Long.parseLong(facts.get(i + 1)),
                    Long.parseLong(facts.get(i + 2)),
                    Integer.parseInt(facts.get(i + 3))));
        }
        return comparisons;
    }

    /** Keys with a hold whose lease has ended. They are named again after another lease, unless they are compared. */
    List<StockKey> lapsed(int most) {
        return run(LAPSED, List.of(), List.of(Integer.toString(most), leaseMillis)).stream()
                .map(key -> StockKey.parse(key.substring(keyPrefix.length())))
                .toList();
    }

    /** How far gate and database were compared. Who is told to repair everything has to begin at once. */
    Progress progress(String reconciler) {
        List<String> answer = progress("begin", reconciler, "");
        return switch (answer.get(0)) {
            case "COMPARED" -> new Progress.ComparedUntil(Instant.ofEpochMilli(Long.parseLong(answer.get(1))));
            case "REPAIR" -> new Progress.RepairAll();
            default -> new Progress.OthersRepair();
        };
    }

    /** Whether a repair is worth going on: the gate has not lost its data again, and nobody else has taken over. */
    boolean repairing(String reconciler) {
        return progress("renew", reconciler, "").get(0).equals("REPAIR");
    }

    /** Everything that changed until then was compared. Ignored when the gate lost its data meanwhile. */
    void compared(String reconciler, Instant until) {
        progress("compared", reconciler, Long.toString(until.toEpochMilli()));
    }

    private List<String> progress(String step, String reconciler, String until) {
        return run(PROGRESS, List.of(), List.of(step, reconciler, leaseMillis, until));
    }

    /** What the gate has for a key. */
    public Optional<View> look(StockKey key) {
        List<String> level = run(LOOK, List.of(key), List.of());
        return level.isEmpty()
                ? Optional.empty()
                : Optional.of(new View(
                        Long.parseLong(level.get(0)), Long.parseLong(level.get(1)), Long.parseLong(level.get(2))));
    }

    /**
     * The gate's side of a key.
     *
     * @param available what the database had at that version
     * @param held what orders under way hold of it
     */
    public record View(long available, long held, long version) {}

    @Override
    public String name() {
        return "stock gate";
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

    @Override
    public boolean caused(Throwable failure) {
        return failure instanceof GateUnavailableException || failure.getCause() instanceof GateUnavailableException;
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

    /** The first two keys of every script are the reconciler's, then come the stock's. Without Redis the answer is empty. */
    private List<String> run(LuaScript script, List<StockKey> keys, List<String> arguments) {
        if (redis == null) {
            return List.of();
        }
        List<String> names = new ArrayList<>(List.of(keyPrefix + "leases", keyPrefix + "compared"));
        keys.forEach(key -> names.add(keyPrefix + key));
        try {
            return redis.run(script, names, arguments.toArray(new String[0])).stream()
                    .map(Object::toString)
                    .toList();
        } catch (RedisUnavailableException e) {
            throw new GateUnavailableException(e);
        }
    }

    @Override
    public void close() {
        if (redis != null) {
            redis.close();
        }
    }
}
