package dev.waybill.starter.transaction;

import dev.waybill.jdbc.AbortedTransactions;
import dev.waybill.store.Transactions.Observer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Notices when a transaction of one DataSource begins, by the connection that its manager binds, and when it ends.
 * Without this, nobody could tell a transaction of this DataSource from another manager's with a connection borrowed
 * beside it, nor a transaction from the moments after its commit.
 */
final class TransactionWatch implements TransactionExecutionListener {

    private static final Logger log = LoggerFactory.getLogger(TransactionWatch.class);

    private final DataSource dataSource;

    @SuppressWarnings("ThreadLocalUsage") // one per DataSource, and there are few
    private final ThreadLocal<@Nullable Object> boundBefore = new ThreadLocal<>();

    TransactionWatch(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public void beforeBegin(TransactionExecution transaction) {
        boundBefore.set(TransactionSynchronizationManager.getResource(dataSource));
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
        Object before = boundBefore.get();
        boundBefore.remove();
        Object holder = TransactionSynchronizationManager.getResource(dataSource);
        if (failure != null || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return;
        }
        boolean leads = transaction instanceof DefaultTransactionStatus status && status.isNewSynchronization();
        if (holder != null && holder != before) {
            var role = leads ? WatchedTransaction.Role.LEADER : WatchedTransaction.Role.GUEST;
            register(new WatchedTransaction(role, transaction, holder));
        } else if (leads) {
            // another DataSource's transaction: known, so that nobody mistakes it for an unwatched one of ours
            register(new WatchedTransaction(WatchedTransaction.Role.FOREIGN, transaction, transaction));
        }
    }

    /**
     * PostgreSQL answers the COMMIT of a transaction in which a statement has failed with a quiet ROLLBACK, and its driver
     * reports success. Business code that swallowed the failure would have its events sent without their rows.
     */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        watched(transaction)
                .filter(watched -> watched.hasObservers() && isDoomed())
                .forEach(watched -> {
                    log.warn(
                            "[Outbox] A statement failed in this transaction, so the database will roll it back at the"
                                    + " commit; its events are not sent transaction={}",
                            transaction.getTransactionName());
                    watched.end(Observer::notCommitted);
                });
    }

    private boolean isDoomed() {
        return TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder holder
                && AbortedTransactions.contain(holder.getConnection());
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
        ended(transaction, failure == null ? Observer::committed : Observer::notCommitted);
    }

    @Override
    public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
        ended(transaction, Observer::notCommitted);
    }

    /** Finds guests only: a leader has heard of its end, and its synchronisations are cleared by now. */
    private static void ended(TransactionExecution transaction, Consumer<Observer> ending) {
        watched(transaction).forEach(watched -> watched.end(ending));
    }

    private static Stream<WatchedTransaction> watched(TransactionExecution transaction) {
        return SpringTransactions.watched().filter(watched -> watched.is(transaction));
    }

    private static void register(WatchedTransaction watched) {
        TransactionSynchronizationManager.registerSynchronization(watched);
    }
}
