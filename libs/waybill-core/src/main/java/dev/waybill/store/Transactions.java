package dev.waybill.store;

import java.util.function.Supplier;

/** The calling thread's transaction, as the outbox sees it. One implementation per way of managing transactions. */
public interface Transactions {

    /**
     * Joins the calling thread's transaction: the owner's observer hears how it ends.
     *
     * @param owner who joins; one observer per owner and transaction
     * @param firstTime makes the observer when the owner has none in this transaction yet
     * @throws NoTransactionException without a transaction, or in a read-only one; the message names the fix
     */
    <T extends Observer> T join(Object owner, Class<T> type, Supplier<T> firstTime);

    /** Hears how a transaction goes. Called by the transaction's thread; must not throw. */
    interface Observer {

        void savepoint(Object savepoint);

        /** Everything since this savepoint is undone. A savepoint never announced was set before the observer joined. */
        void rolledBackTo(Object savepoint);

        /** The database confirmed the commit. */
        void committed();

        /** Rolled back, or nobody knows. */
        void notCommitted();
    }
}
