package dev.waybill.starter.transaction;

import dev.waybill.message.LogText;
import dev.waybill.store.Transactions.Observer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * One transaction of the outbox's DataSource, from its beginning to its end, and those who joined it.
 *
 * <p>Most own Spring's synchronisations on the thread. They are told of the commit by them, first of all, so that a slow or
 * failing callback of the application neither delays nor loses the hand-off. A transaction that began inside another manager's
 * transaction shares that one's synchronisations; it is told of its end by its own manager only, because the outer transaction
 * may commit what the inner one has rolled back. An unregistered one is never told of a commit: its events wait for their
 * leases.
 */
final class ObservedTransaction implements TransactionSynchronization {

    enum Role {
        /** Owns the thread's synchronisations. */
        OWNER,
        /** Began inside another manager's transaction. */
        INNER,
        /** Its manager has no listener of ours. */
        UNREGISTERED,
        /** A transaction of another DataSource: no event joins it. */
        OTHER_DATA_SOURCE
    }

    private static final Logger log = LoggerFactory.getLogger(ObservedTransaction.class);

    private final Role role;
    private final @Nullable TransactionExecution execution;
    private final Object connectionHolder;
    private final IdentityHashMap<Object, Observer> observers = new IdentityHashMap<>(2);
    private boolean over;

    ObservedTransaction(Role role, @Nullable TransactionExecution execution, Object connectionHolder) {
        this.role = role;
        this.execution = execution;
        this.connectionHolder = connectionHolder;
    }

    boolean isOf(Object holder) {
        return connectionHolder == holder;
    }

    boolean is(TransactionExecution other) {
        return execution == other;
    }

    boolean isOver() {
        return over;
    }

    boolean hasObservers() {
        return !observers.isEmpty();
    }

    /** The transaction as its manager began it; null when no listener of ours was told. */
    @Nullable TransactionExecution execution() {
        return execution;
    }

    <T extends Observer> T observer(Object owner, Class<T> type, Supplier<T> firstTime) {
        return type.cast(observers.computeIfAbsent(owner, first -> firstTime.get()));
    }

    /** Ends it once: the first call counts, later ones change nothing. */
    void end(Consumer<Observer> ending) {
        if (over) {
            return;
        }
        over = true;
        List<Observer> joined = new ArrayList<>(observers.values());
        observers.clear();
        joined.forEach(observer -> invoke(observer, ending));
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void savepoint(Object savepoint) {
        observers.values().forEach(observer -> invoke(observer, joined -> joined.savepoint(savepoint)));
    }

    @Override
    public void savepointRollback(Object savepoint) {
        observers.values().forEach(observer -> invoke(observer, joined -> joined.rolledBackTo(savepoint)));
    }

    @Override
    public void afterCommit() {
        if (role == Role.OWNER) {
            end(Observer::committed);
        }
    }

    /** After a commit this changes nothing for owners, which ended in afterCommit; inner ones are left only if their manager was silent. */
    @Override
    public void afterCompletion(int status) {
        end(Observer::notCommitted);
    }

    /** A failure in here must not fail the business transaction. */
    private static void invoke(Observer observer, Consumer<Observer> call) {
        try {
            call.accept(observer);
        } catch (RuntimeException | Error e) {
            log.error("[Outbox] An event's hand-off failed; its row comes back after its lease", LogText.thrown(e));
        }
    }
}
