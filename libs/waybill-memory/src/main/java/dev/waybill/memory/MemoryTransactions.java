package dev.waybill.memory;

import dev.waybill.store.NoTransactionException;
import dev.waybill.store.TransactionRunner;
import dev.waybill.store.Transactions;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Transactions over tables in memory, for tests and demonstrations: what is written inside becomes visible with the commit,
 * all of it or nothing. The stores of one process share one of these; {@link #onRollback} lets business data in plain
 * collections go back with it.
 *
 * <p>A transaction belongs to its thread. Nothing survives the process.
 */
public final class MemoryTransactions implements Transactions, TransactionRunner {

    private final MemoryDatabase database;

    @SuppressWarnings("ThreadLocalUsage") // one per database: a thread may be in a transaction of each
    private final ThreadLocal<@Nullable MemoryTransaction> current = new ThreadLocal<>();

    /** New empty tables that live by the system's clock. */
    public MemoryTransactions() {
        this(Clock.systemUTC());
    }

    /** New empty tables that live by this clock: leases, due times and ages are counted by it. */
    public MemoryTransactions(Clock clock) {
        this(new MemoryDatabase(clock));
    }

    MemoryTransactions(MemoryDatabase database) {
        this.database = database;
    }

    /** Always a transaction of its own: one that this thread is in already goes on, untouched, when this one has ended. */
    @Override
    public <T> T inTransaction(Supplier<T> work) {
        MemoryTransaction outer = current.get();
        MemoryTransaction transaction = new MemoryTransaction(database);
        current.set(transaction);
        boolean returned = false;
        try {
            T result = work.get();
            returned = true;
            return result;
        } finally {
            if (outer == null) {
                current.remove();
            } else {
                current.set(outer);
            }
            if (returned) {
                transaction.commit();
            } else {
                transaction.rollback();
            }
        }
    }

    @Override
    public <T extends Observer> T join(Object owner, Class<T> type, Supplier<T> firstTime) {
        return transaction().join(owner, type, firstTime);
    }

    /**
     * Registers how to undo a business write that was just made; run when the transaction, or the savepoint before it, is
     * rolled back, the last write first.
     */
    public void onRollback(Runnable undo) {
        transaction().wrote(() -> {}, undo);
    }

    /** Marks this moment of the thread's transaction. */
    public Object savepoint() {
        return transaction().savepoint();
    }

    /** Undoes what the thread's transaction did since the savepoint, and goes on. */
    public void rollbackTo(Object savepoint) {
        transaction().rollbackTo(savepoint);
    }

    /** What people decided about DEAD rows and dead letters, oldest first. */
    public List<MemoryAuditRecord> audit() {
        return database.audit.readAll();
    }

    MemoryTransaction transaction() {
        MemoryTransaction transaction = current.get();
        if (transaction == null) {
            throw new NoTransactionException("this needs a transaction of this thread: wrap the business code and the "
                    + "publish call in MemoryTransactions.inTransaction(() -> ...)");
        }
        return transaction;
    }

    MemoryDatabase database() {
        return database;
    }
}
