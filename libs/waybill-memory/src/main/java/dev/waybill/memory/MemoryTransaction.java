package dev.waybill.memory;

import dev.waybill.message.LogText;
import dev.waybill.store.Transactions.Observer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One open transaction: what it would publish, how it is undone, and who wants to hear how it ends. Used by one thread. */
final class MemoryTransaction {

    private static final Logger LOG = LoggerFactory.getLogger(MemoryTransaction.class);

    /** One step of the transaction: what a commit does with it, and what a rollback does. */
    private record Step(Runnable publish, Runnable undo) {}

    private final MemoryDatabase database;
    private final List<Step> steps = new ArrayList<>();
    private final IdentityHashMap<Object, Integer> savepoints = new IdentityHashMap<>();
    private final IdentityHashMap<Object, Observer> observers = new IdentityHashMap<>();

    MemoryTransaction(MemoryDatabase database) {
        this.database = database;
    }

    <T extends Observer> T join(Object owner, Class<T> type, Supplier<T> firstTime) {
        return type.cast(observers.computeIfAbsent(owner, first -> firstTime.get()));
    }

    void wrote(Runnable publish, Runnable undo) {
        steps.add(new Step(publish, undo));
    }

    /** Runs work that takes effect as a whole or, when it throws, not at all; the transaction goes on in both cases. */
    <T> T statement(Supplier<T> work) {
        int begin = steps.size();
        boolean returned = false;
        try {
            T result = work.get();
            returned = true;
            return result;
        } finally {
            if (!returned) {
                undoFrom(begin);
            }
        }
    }

    /** How many rows were written and undo actions registered so far. */
    int steps() {
        return steps.size();
    }

    Object savepoint() {
        Object savepoint = new Object();
        savepoints.put(savepoint, steps.size());
        tell(observer -> observer.savepoint(savepoint));
        return savepoint;
    }

    void rollbackTo(Object savepoint) {
        Integer begin = savepoints.get(savepoint);
        if (begin == null || begin > steps.size()) {
            throw new IllegalArgumentException("no savepoint of this transaction, or one that was undone itself");
        }
        undoFrom(begin);
        tell(observer -> observer.rolledBackTo(savepoint));
    }

    /** Everything becomes visible at one moment. */
    void commit() {
        synchronized (database) {
            steps.forEach(step -> step.publish.run());
        }
        tell(Observer::committed);
    }

    void rollback() {
        try {
            undoFrom(0);
        } finally {
            tell(Observer::notCommitted);
        }
    }

    private void undoFrom(int begin) {
        while (steps.size() > begin) {
            Step last = steps.remove(steps.size() - 1);
            try {
                last.undo.run();
            } catch (RuntimeException e) {
                LOG.error("[MemoryTransactions] an undo action failed; the others go on", LogText.thrown(e));
            }
        }
    }

    private void tell(Consumer<Observer> what) {
        for (Observer observer : observers.values()) {
            try {
                what.accept(observer);
            } catch (RuntimeException e) {
                LOG.error("[MemoryTransactions] an observer threw, which it must not", LogText.thrown(e));
            }
        }
    }
}
