package dev.waybill.store;

import java.util.function.Supplier;

/** Runs work in a database transaction of its own: commits when it returns, rolls back when it throws. */
public interface TransactionRunner {

    /**
     * Runs the work and commits.
     *
     * @throws StoreException when begin or commit failed; what the work throws passes through after the rollback
     */
    <T> T inTransaction(Supplier<T> work);
}
