package dev.waybill.memory;

import dev.waybill.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Rows by key. Everybody reads what was committed; a transaction also reads what it wrote itself. Who writes a row holds its
 * lock until the transaction ends, so that a second writer waits or passes the row over.
 */
final class MemoryTable<K, V> {

    /** A row; a value that is null is no row. */
    private static final class Slot<V> {
        @Nullable V committed;

        @Nullable V written;

        @Nullable MemoryTransaction writer;
    }

    private final MemoryDatabase database;
    private final Map<K, Slot<V>> slots = new LinkedHashMap<>();

    MemoryTable(MemoryDatabase database) {
        this.database = database;
    }

    /** The row as it was committed. */
    @Nullable V read(K key) {
        synchronized (database) {
            Slot<V> slot = slots.get(key);
            return slot == null ? null : slot.committed;
        }
    }

    /** All committed rows, in the order in which they were added. */
    List<V> readAll() {
        synchronized (database) {
            List<V> rows = new ArrayList<>(slots.size());
            for (Slot<V> slot : slots.values()) {
                if (slot.committed != null) {
                    rows.add(slot.committed);
                }
            }
            return rows;
        }
    }

    /** The row as this transaction sees it. */
    @Nullable V read(K key, MemoryTransaction transaction) {
        synchronized (database) {
            Slot<V> slot = slots.get(key);
            if (slot == null) {
                return null;
            }
            return slot.writer == transaction ? slot.written : slot.committed;
        }
    }

    /** Committed rows that nobody is writing and that the condition accepts. */
    List<V> unlocked(Predicate<V> condition) {
        synchronized (database) {
            List<V> rows = new ArrayList<>();
            for (Slot<V> slot : slots.values()) {
                if (slot.writer == null && slot.committed != null && condition.test(slot.committed)) {
                    rows.add(slot.committed);
                }
            }
            return rows;
        }
    }

    /** Deletes rows that the condition accepts and nobody is writing, at most so many; returns those. */
    List<V> sweep(Predicate<V> condition, int limit, MemoryTransaction transaction) {
        synchronized (database) {
            Map<K, V> old = new LinkedHashMap<>();
            slots.forEach((key, slot) -> {
                if (old.size() < limit
                        && slot.writer == null
                        && slot.committed != null
                        && condition.test(slot.committed)) {
                    old.put(key, slot.committed);
                }
            });
            old.keySet().forEach(key -> write(key, null, transaction));
            return List.copyOf(old.values());
        }
    }

    /** Waits until no other transaction has this row; false when the time was over first. */
    boolean awaitFree(K key, MemoryTransaction transaction, Duration patience) {
        synchronized (database) {
            return database.await(() -> isFree(slots.get(key), transaction), patience);
        }
    }

    /**
     * Waits until no other transaction has this row.
     *
     * @throws StoreException (conflict) when another transaction keeps the row for too long
     */
    void requireFree(K key, MemoryTransaction transaction) {
        if (!awaitFree(key, transaction, MemoryDatabase.LOCK_WAIT)) {
            throw new StoreException(
                    StoreException.Reason.CONFLICT, "row " + key + " is locked by another transaction", null);
        }
    }

    /** The row as this transaction sees it, once no other transaction has it: it can be written without a wait. */
    @Nullable V lockable(K key, MemoryTransaction transaction) {
        synchronized (database) {
            requireFree(key, transaction);
            return read(key, transaction);
        }
    }

    /** Writes a row inside a transaction, once it is free; null deletes it. */
    void write(K key, @Nullable V value, MemoryTransaction transaction) {
        synchronized (database) {
            requireFree(key, transaction);
            Slot<V> slot = slots.computeIfAbsent(key, first -> new Slot<>());
            MemoryTransaction writerBefore = slot.writer;
            V writtenBefore = slot.written;
            slot.writer = transaction;
            slot.written = value;
            transaction.wrote(() -> publish(key, slot), () -> restore(key, slot, writtenBefore, writerBefore));
        }
    }

    /** Writes and commits at once, as somebody does who uses no transaction. */
    void put(K key, V value) {
        synchronized (database) {
            slots.computeIfAbsent(key, first -> new Slot<>()).committed = value;
        }
    }

    void clear() {
        synchronized (database) {
            slots.clear();
        }
    }

    /** The first of a transaction's writes to a row publishes the last value; nothing is left for the others to do. */
    private void publish(K key, Slot<V> slot) {
        if (slot.writer != null) {
            slot.committed = slot.written;
            release(key, slot);
        }
    }

    private void restore(K key, Slot<V> slot, @Nullable V written, @Nullable MemoryTransaction writer) {
        synchronized (database) {
            if (writer == null) {
                release(key, slot);
            } else {
                slot.written = written;
            }
        }
    }

    private void release(K key, Slot<V> slot) {
        slot.written = null;
        slot.writer = null;
        if (slot.committed == null) {
            slots.remove(key, slot);
        }
        database.notifyAll();
    }

    private boolean isFree(@Nullable Slot<V> slot, MemoryTransaction transaction) {
        return slot == null || slot.writer == null || slot.writer == transaction;
    }
}
