package dev.waybill.memory;

import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Changes of a broker, written to its file where it has one. A {@link #change} writes its records and changes the memory
 * accordingly; a rewrite of the file waits until nobody is between the two, so that it sees all of a change or nothing.
 *
 * <p>Locks are taken in this order: a change, then a queue's or topic's own, then the file's. So nobody begins a change while
 * holding a queue or a topic.
 */
final class ChangeLog implements AutoCloseable {

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Consumer<Consumer<JournalRecord>> everything;
    private volatile @Nullable MessageJournal journal;

    /** Keeps nothing until it is given a file; {@code everything} tells all that a rewritten file must hold. */
    ChangeLog(Consumer<Consumer<JournalRecord>> everything) {
        this.everything = everything;
    }

    void writeTo(MessageJournal file) {
        journal = file;
    }

    boolean isKept() {
        return journal != null;
    }

    void change(Runnable change) {
        lock.readLock().lock();
        try {
            change.run();
        } finally {
            lock.readLock().unlock();
        }
        MessageJournal file = journal;
        if (file != null && lock.getReadHoldCount() == 0 && file.isRewriteDue()) {
            rewrite(file);
        }
    }

    private void rewrite(MessageJournal file) {
        lock.writeLock().lock();
        try {
            if (file.isRewriteDue()) { // else somebody was faster
                file.rewrite(everything);
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Within a change, before the memory shows it. Throws {@link java.io.UncheckedIOException} when nothing was written. */
    void write(List<? extends JournalRecord> records) {
        MessageJournal file = journal;
        if (file != null) {
            file.append(records);
        }
    }

    @Override
    public void close() {
        MessageJournal file = journal;
        if (file != null) {
            file.close();
        }
    }
}
