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
 * Observes when transactions of one DataSource begin, by the connection that their manager binds, and when they end. Without it,
 * a transaction of this DataSource could not be told from another manager's transaction beside a borrowed connection, nor from
 * the callbacks that run after its commit.
 */
final class OutboxTransactionListener implements TransactionExecutionListener {

    private static final Logger log = LoggerFactory.getLogger(OutboxTransactionListener.class);

    private final DataSource dataSource;

    @SuppressWarnings("ThreadLocalUsage") // one per DataSource, and there are few
    private final ThreadLocal<@Nullable Object> boundBefore = new ThreadLocal<>();

    OutboxTransactionListener(DataSource dataSource) {
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
        boolean owner = transaction instanceof DefaultTransactionStatus status && status.isNewSynchronization();
        if (holder != null && holder != before) {
            var role = owner ? ObservedTransaction.Role.OWNER : ObservedTransaction.Role.INNER;
            register(new ObservedTransaction(role, transaction, holder));
        } else if (owner) {
            // another DataSource's transaction is registered too, or it would be taken for an unregistered one of ours
            register(new ObservedTransaction(ObservedTransaction.Role.OTHER_DATA_SOURCE, transaction, transaction));
        }
    }

    /**
     * PostgreSQL answers the COMMIT of a transaction in which a statement has failed with a quiet ROLLBACK, and its driver
     * reports success. Business code that swallowed the failure would have its events sent without their rows.
     */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        observed(transaction)
                .filter(observed -> observed.hasObservers() && isAborted())
                .forEach(observed -> {
                    log.warn(
                            "[Outbox] A statement failed in this transaction, so the database will roll it back at the"
                                    + " commit; its events are not sent transaction={}",
                            transaction.getTransactionName());
                    observed.end(Observer::notCommitted);
                });
    }

    private boolean isAborted() {
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

    /** Finds inner transactions only: an owner has ended already, and its synchronisations are cleared by now. */
    private static void ended(TransactionExecution transaction, Consumer<Observer> ending) {
        observed(transaction).forEach(observed -> observed.end(ending));
    }

    private static Stream<ObservedTransaction> observed(TransactionExecution transaction) {
        return SpringTransactions.observed().filter(observed -> observed.is(transaction));
    }

    private static void register(ObservedTransaction observed) {
        TransactionSynchronizationManager.registerSynchronization(observed);
    }
}
