package dev.waybill.starter.transaction;

import dev.waybill.jdbc.AbortedTransactions;
import dev.waybill.message.LogText;
import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import dev.waybill.store.TransactionRunner;
import java.sql.SQLException;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs work in a transaction of its own, managed by Spring. Returns only if the database confirmed the commit. It throws if the
 * transaction was marked for rollback, or if the database has aborted it although the driver would report a successful COMMIT.
 */
public final class SpringTransactionRunner implements TransactionRunner {

    private static final Logger log = LoggerFactory.getLogger(SpringTransactionRunner.class);

    private final PlatformTransactionManager manager;
    private final DataSource dataSource;
    private final TransactionDefinition definition = ownTransaction();

    /**
     * Transactions of this manager.
     *
     * @param dataSource the one that the manager binds connections of
     */
    public SpringTransactionRunner(PlatformTransactionManager manager, DataSource dataSource) {
        this.manager = manager;
        this.dataSource = dataSource;
    }

    private static TransactionDefinition ownTransaction() {
        DefaultTransactionDefinition own =
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        own.setName("waybill-inbox");
        return own;
    }

    /** Whether the manager's transactions are those of the DataSource; begins one to find out. */
    public boolean isOfItsDataSource() {
        TransactionStatus status = begin();
        try {
            return TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder;
        } finally {
            manager.rollback(status);
        }
    }

    @Override
    public <T> T inTransaction(Supplier<T> work) {
        TransactionStatus status = begin();
        T result;
        try {
            result = work.get();
            refuseRolledBack(status);
        } catch (RuntimeException | Error e) {
            rollback(status, e);
            throw e;
        }
        commit(status);
        return result;
    }

    private TransactionStatus begin() {
        try {
            return manager.getTransaction(definition);
        } catch (CannotCreateTransactionException e) {
            throw new StoreException(Reason.UNAVAILABLE, "no transaction could begin: " + e.getMessage(), e);
        } catch (TransactionException e) {
            throw new StoreException(reason(e), "no transaction could begin: " + e.getMessage(), e);
        }
    }

    private void refuseRolledBack(TransactionStatus status) {
        if (status.isRollbackOnly()) {
            throw new StoreException(
                    Reason.FAILED,
                    "the transaction is marked for rollback although the handler returned: something that it called"
                            + " failed inside a @Transactional method, or asked for the rollback",
                    null);
        }
        if (TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder holder
                && AbortedTransactions.contain(holder.getConnection())) {
            throw new StoreException(
                    Reason.FAILED,
                    "a statement failed in this transaction and the handler went on: the database would roll it back at"
                            + " the commit",
                    null);
        }
    }

    private void commit(TransactionStatus status) {
        try {
            manager.commit(status);
        } catch (TransactionException | DataAccessException e) {
            throw new StoreException(reason(e), "the commit failed: " + e.getMessage(), e);
        }
    }

    private void rollback(TransactionStatus status, Throwable reason) {
        try {
            manager.rollback(status);
        } catch (RuntimeException e) {
            reason.addSuppressed(e); // the connection is gone, and the transaction with it
            log.debug("[Inbox] rollback failed", LogText.thrown(e));
        }
    }

    private static Reason reason(RuntimeException failure) {
        DataAccessException translated = failure instanceof DataAccessException known ? known : translated(failure);
        if (translated instanceof ConcurrencyFailureException) {
            return Reason.CONFLICT;
        }
        return Reason.FAILED;
    }

    private static @Nullable DataAccessException translated(Throwable failure) {
        for (Throwable link = failure.getCause(); link != null; link = link.getCause()) {
            if (link instanceof SQLException sql) {
                return new SQLExceptionSubclassTranslator().translate("commit", null, sql);
            }
        }
        return null;
    }
}
