package dev.waybill.marketplace.domain;

import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import java.util.function.Supplier;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * One transaction, repeated where somebody else was quicker: a duplicate key means that a number or a buyer's row was taken
 * meanwhile, a conflict that the database chose this transaction as a deadlock's victim.
 */
public final class UnitOfWork {

    private static final int TRIES = 5;

    private final TransactionTemplate transaction;

    public UnitOfWork(PlatformTransactionManager transactions) {
        this.transaction = new TransactionTemplate(transactions);
    }

    <T> T run(Supplier<T> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return transaction.<T>execute(status -> work.get());
            } catch (DuplicateKeyException | ConcurrencyFailureException | StoreException failure) {
                if (attempt == TRIES || !wasQuicker(failure)) {
                    throw failure;
                }
            }
        }
    }

    private static boolean wasQuicker(RuntimeException failure) {
        return !(failure instanceof StoreException outbox) || outbox.reason() == Reason.CONFLICT;
    }
}
