package dev.waybill.starter.transaction;

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
 * <p>Most lead Spring's synchronisations: they hear the commit from there, before everyone else, so that a slow or
 * failing callback of the application neither delays nor loses the hand-off. A transaction that began inside another
 * manager's transaction is a guest among that one's synchronisations; it hears its end from its own manager only,
 * because the host may commit what the guest has rolled back. An unwatched one never hears of a commit: leases decide.
 */
final class WatchedTransaction implements TransactionSynchronization {

    enum Role {
        LEADER,
        GUEST,
        UNWATCHED,
        /** Another DataSource's: nobody of ours joins it. */
        FOREIGN
    }

    private static final Logger log = LoggerFactory.getLogger(WatchedTransaction.class);

    private final Role role;
    private final @Nullable TransactionExecution execution;
    private final Object connectionHolder;
    private final IdentityHashMap<Object, Observer> observers = new IdentityHashMap<>(2);
    private boolean over;

    WatchedTransaction(Role role, @Nullable TransactionExecution execution, Object connectionHolder) {
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

    /** What the transaction itself was begun with; null when nobody saw it begin. */
    @Nullable TransactionExecution execution() {
        return execution;
    }

    <T extends Observer> T observer(Object owner, Class<T> type, Supplier<T> firstTime) {
        return type.cast(observers.computeIfAbsent(owner, first -> firstTime.get()));
    }

    /** Ends it, once: whoever says so first is the one who knows. */
    void end(Consumer<Observer> ending) {
        if (over) {
            return;
        }
        over = true;
        List<Observer> hearers = new ArrayList<>(observers.values());
        observers.clear();
        hearers.forEach(observer -> tell(observer, ending));
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void savepoint(Object savepoint) {
        observers.values().forEach(observer -> tell(observer, hearer -> hearer.savepoint(savepoint)));
    }

    @Override
    public void savepointRollback(Object savepoint) {
        observers.values().forEach(observer -> tell(observer, hearer -> hearer.rolledBackTo(savepoint)));
    }

    @Override
    public void afterCommit() {
        if (role == Role.LEADER) {
            end(Observer::committed);
        }
    }

    /** Reached with a commit only by leaders that have heard of it, and by guests whose manager never told their end. */
    @Override
    public void afterCompletion(int status) {
        end(Observer::notCommitted);
    }

    /** The business transaction is over or goes on; a mistake of ours is no reason to fail it. */
    private static void tell(Observer observer, Consumer<Observer> news) {
        try {
            news.accept(observer);
        } catch (RuntimeException | Error e) {
            log.error("[Outbox] An event's hand-off failed; its row comes back after its lease", e);
        }
    }
}
