package dev.waybill.servicekit;

import dev.waybill.store.StoreException;
import java.lang.reflect.Method;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.resilience.retry.MethodRetryPredicate;

/**
 * Whether another transaction won. A duplicate key: it wrote the same row meanwhile, and the repeat finds it. A concurrency
 * failure, or a conflict in the outbox's own statement: the database rolled this transaction back to end a deadlock.
 */
final class LostRace implements MethodRetryPredicate {

    @Override
    public boolean shouldRetry(Method method, Throwable failure) {
        return failure instanceof DuplicateKeyException
                || failure instanceof ConcurrencyFailureException
                || (failure instanceof StoreException outbox && outbox.reason() == StoreException.Reason.CONFLICT);
    }
}
