package dev.waybill.inventory.domain;

import java.util.List;
import java.util.Optional;

/**
 * Stands in front of the stock's rows, so that orders for what is sold out do not queue for their locks. For each key it
 * knows what the database said last (number and version) and who holds how much of it at the moment; what is free is the
 * difference.
 *
 * <p>Every step is atomic. Whatever is told twice, late or in the wrong order does no harm: a hold is dropped once, and of two
 * levels the later version stays. A hold outlives its lease only if nobody compares; see {@link #compare}. A gate that forgot
 * everything, or says too much or too little, costs work, never stock.
 *
 * <p>Every method throws {@link GateUnavailableException} where the gate did not answer; whether the step was taken is unknown
 * then.
 */
public interface StockGate {

    /** Settles without a hold. */
    String NOBODY = "";

    /** Holds all lines of the order, or none. The same order asking again has what it had, and its lease anew. */
    Admission tryReserve(Basket basket);

    /** Drops what the order holds: its transaction did not commit. */
    void giveBack(String orderNo, List<StockKey> keys);

    /** Drops what the order holds and learns these levels: its transaction committed. */
    void settle(String orderNo, List<StockLevel> levels);

    /** Takes these levels over where it knows none or earlier ones. */
    default void learn(List<StockLevel> levels) {
        settle(NOBODY, levels);
    }

    /**
     * Compares itself with the database, drops holds whose lease has ended, and corrects itself; only a level that is later
     * than the database's is left as it is, because it may have changed since it was read. Findings come in the given order.
     */
    List<Finding> compare(List<StockLevel> levels);

    /** Takes this level over although it knows a later one: the database was set back. */
    void reset(StockLevel level);

    /** What the gate knows of a key. */
    Optional<View> look(StockKey key);

    /** Whether it is there; bounded in time. */
    boolean answers();

    /**
     * The gate's side of a key.
     *
     * @param available what the database had at that version
     * @param held what orders under way hold of it
     */
    record View(long available, long held, long version) {}
}
