package dev.waybill.inventory.domain;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The stock's rows, which decide. {@code available} never goes below zero. */
public interface StockRepository {

    Optional<StockLevel> find(StockKey key);

    /** The levels of those that exist, read without a lock. */
    List<StockLevel> read(List<StockKey> keys);

    /** Locks the rows one by one in the order of their keys, until the transaction ends; those that exist. */
    List<StockLevel> lock(List<StockKey> keys);

    /**
     * Reserves the lines.
     *
     * @throws IllegalStateException when a row has less: the transaction must not commit
     */
    void reserve(List<Line> lines);

    /** Gives reserved lines back. */
    void release(List<Line> lines);

    /** Adds received stock, in a row of its own where it is the first. Empty when the row would hold more than it may. */
    Optional<StockLevel> receive(Line line);

    /** The next rows after this key, in the order of their keys. */
    List<StockLevel> page(@Nullable StockKey after, int size);
}
