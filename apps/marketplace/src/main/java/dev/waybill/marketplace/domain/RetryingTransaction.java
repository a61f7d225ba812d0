package dev.waybill.marketplace.domain;

import dev.waybill.store.StoreException;
import java.time.Duration;
import java.util.function.Supplier;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs work in a transaction, and again, up to {@value #RETRIES} times, when another transaction won a race against it. The
 * caller sees the last failure as it was thrown. Nothing waits in between: the other transaction has ended already.
 */
public final class RetryingTransaction {

    private static final int RETRIES = 4;

    private final TransactionTemplate transaction;
    private final RetryTemplate retries = new RetryTemplate(RetryPolicy.builder()
            .maxRetries(RETRIES)
            .delay(Duration.ZERO)
            .predicate(RetryingTransaction::lostRace)
            .build());

    public RetryingTransaction(PlatformTransactionManager transactions) {
        this.transaction = new TransactionTemplate(transactions);
    }

    <T> T run(Supplier<T> work) {
        return retries.invoke(() -> transaction.<T>execute(status -> work.get()));
    }

    /**
     * A duplicate key: another transaction took the order number or made the buyer's row meanwhile. A concurrency failure, or a
     * conflict in the outbox's own statement: the database rolled this transaction back to end a deadlock.
     */
    private static boolean lostRace(Throwable failure) {
        return failure instanceof DuplicateKeyException
                || failure instanceof ConcurrencyFailureException
                || (failure instanceof StoreException outbox && outbox.reason() == StoreException.Reason.CONFLICT);
    }
}
