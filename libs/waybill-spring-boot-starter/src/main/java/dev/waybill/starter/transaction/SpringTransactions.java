package dev.waybill.starter.transaction;

import dev.waybill.store.NoTransactionException;
import dev.waybill.store.Transactions;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's transactions on one DataSource, by any manager: JDBC, JPA, MyBatis, annotations or templates.
 *
 * <p>Refuses to join where an event would not commit together with business data: no transaction, a read-only one, one
 * of another DataSource, one that has committed already. A savepoint is noticed when Spring sets it (a NESTED method, or
 * {@code TransactionStatus.createSavepoint}); one set on the JDBC connection itself is not.
 */
public final class SpringTransactions implements Transactions {

    private static final Logger log = LoggerFactory.getLogger(SpringTransactions.class);

    private final DataSource dataSource;
    private final OutboxTransactionListener listener;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * Transactions of this DataSource.
     *
     * @param dataSource the one under which transaction managers bind their connections, not a proxy around it
     */
    public SpringTransactions(DataSource dataSource) {
        this.dataSource = dataSource;
        this.listener = new OutboxTransactionListener(dataSource);
    }

    /**
     * Watches this manager's transactions. Events published in a transaction of a manager that is not watched are safe,
     * but wait for their lease before they are sent.
     */
    public void watch(ConfigurableTransactionManager manager) {
        manager.addListener(listener);
    }

    @Override
    public <T extends Observer> T join(Object owner, Class<T> type, Supplier<T> firstTime) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            throw new NoTransactionException("An event must be published inside a transaction, so that it commits"
                    + " together with the business data: put @Transactional on the method that calls the outbox, and"
                    + " call that method through its Spring bean; or use a TransactionTemplate.");
        }
        return current().observer(owner, type, firstTime);
    }

    /** All observed transactions among this thread's synchronisations. */
    static Stream<ObservedTransaction> observed() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                ? TransactionSynchronizationManager.getSynchronizations().stream()
                        .filter(ObservedTransaction.class::isInstance)
                        .map(ObservedTransaction.class::cast)
                : Stream.empty();
    }

    private ObservedTransaction current() {
        Object holder = TransactionSynchronizationManager.getResource(dataSource);
        List<ObservedTransaction> known = observed().toList();
        ObservedTransaction current = known.stream()
                .filter(observed -> holder != null && observed.isOf(holder))
                .findFirst()
                .orElse(null);
        if (current == null) {
            current = new ObservedTransaction(
                    ObservedTransaction.Role.UNREGISTERED, null, ownConnection(holder, !known.isEmpty()));
            TransactionSynchronizationManager.registerSynchronization(current);
            warnOnce();
        }
        refuseUnfit(current);
        return current;
    }

    private static void refuseUnfit(ObservedTransaction current) {
        if (current.isOver()) {
            throw new NoTransactionException("This transaction has committed already, so an event published now would"
                    + " not commit: publish before the commit (@TransactionalEventListener(phase = BEFORE_COMMIT)), or"
                    + " in a transaction of its own (@Transactional(propagation = REQUIRES_NEW)).");
        }
        TransactionExecution execution = current.execution();
        boolean readOnly = execution == null
                ? TransactionSynchronizationManager.isCurrentTransactionReadOnly()
                : execution.isReadOnly();
        if (readOnly) {
            throw new NoTransactionException("An event cannot be published in a read-only transaction: take readOnly ="
                    + " true off the outermost @Transactional, or publish in a transaction of its own"
                    + " (@Transactional(propagation = REQUIRES_NEW)).");
        }
    }

    /** The connection bound for the outbox's DataSource, if it belongs to a transaction and is not only borrowed beside another's. */
    private static ConnectionHolder ownConnection(@Nullable Object bound, boolean othersAreKnown) {
        if (bound instanceof ConnectionHolder holder && !othersAreKnown && !autoCommits(holder)) {
            return holder;
        }
        throw new NoTransactionException(
                "The transaction on this thread is not one of the outbox's DataSource: name its"
                        + " transaction manager (@Transactional(transactionManager = \"...\")), or choose another DataSource for"
                        + " the outbox with waybill.outbox.data-source. With JpaTransactionManager, its JpaDialect must expose the"
                        + " JDBC connection, as Hibernate's does.");
    }

    private static boolean autoCommits(ConnectionHolder holder) {
        try {
            return holder.getConnection().getAutoCommit();
        } catch (SQLException e) {
            return true; // the connection is broken, so the next statement would fail too
        }
    }

    private void warnOnce() {
        if (warned.compareAndSet(false, true)) {
            log.warn("[Outbox] A transaction manager on the outbox's DataSource is no bean of this application; its"
                    + " events are sent when their lease has run out. Make it a bean, or call"
                    + " SpringTransactions.watch(manager).");
        }
    }
}
