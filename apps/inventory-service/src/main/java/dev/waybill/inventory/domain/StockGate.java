package dev.waybill.inventory.domain;

import java.util.List;
import java.util.Optional;

/**
 * A counter in front of the stock's rows, so that orders for what is sold out do not queue for the rows' locks. For each key it
 * has the database's last known number and version, and the quantities that orders under way hold; the difference is free.
 *
 * <p>Every call is atomic. A call that comes twice, late or in the wrong order does no harm: a hold is dropped once, and of two
 * levels the later version stays. Holds whose lease has ended are dropped by {@link #compare}. A gate that lost its data, or has
 * a number that is too high or too low, costs work, never stock, because the rows decide.
 *
 * <p>Every method throws {@link GateUnavailableException} when the gate did not answer; the call may or may not have taken
 * effect.
 */
public interface StockGate {

    /** In place of an order number where no hold belongs to the levels. */
    String NOBODY = "";

    /** Holds all lines of the order, or none. A repeat for the same order keeps its holds and renews their lease. */
    HoldResult tryReserve(OrderLines order);

    /** Drops what the order holds: its transaction did not commit. */
    void giveBack(String orderNo, List<StockKey> keys);

    /** Drops what the order holds and takes these levels over: its transaction committed. */
    void settle(String orderNo, List<StockLevel> levels);

    /** Takes these levels over where the gate has none or earlier ones. */
    default void learn(List<StockLevel> levels) {
        settle(NOBODY, levels);
    }

    /**
     * Compares the gate's levels with the database's, drops holds whose lease has ended, and corrects the gate. A level in the
     * gate with a later version is left as it is, because the row may have changed since it was read. Results come in the given
     * order.
     */
    List<StockComparison> compare(List<StockLevel> levels);

    /** Takes this level over although the gate has a later version: the database was restored to an earlier state. */
    void reset(StockLevel level);

    /** What the gate has for a key. */
    Optional<View> look(StockKey key);

    /** Whether the gate answers; bounded in time. */
    boolean answers();

    /**
     * The gate's side of a key.
     *
     * @param available what the database had at that version
     * @param held what orders under way hold of it
     */
    record View(long available, long held, long version) {}
}
