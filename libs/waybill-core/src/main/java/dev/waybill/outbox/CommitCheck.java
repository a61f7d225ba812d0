package dev.waybill.outbox;

import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks whether handed-off rows are in the table before they are sent. A transaction may lose rows and commit all the same:
 * MySQL and MariaDB roll a deadlock's victim back whole, and business code that swallows the error goes on in a new
 * transaction; {@code ROLLBACK TO SAVEPOINT} sent as text passes by every driver's own savepoints. One statement looks for
 * many rows, so under load they wait for others, 0.15 s at most.
 */
final class CommitCheck {

    private static final Duration PATIENCE = Duration.ofMillis(50);
    private static final int MOST = 1_000;

    private final OutboxStore store;
    private final InFlightEvents inFlight;
    private final SendQueue queue;
    private final SettlementQueue settlements;
    private final RelayReporter reporter;
    private final LinkedBlockingQueue<ClaimedEvent> waiting = new LinkedBlockingQueue<>();
    private final AtomicInteger unchecked = new AtomicInteger();
    private final BatchLinger linger = BatchLinger.forStatements(System.nanoTime());

    CommitCheck(
            OutboxStore store,
            InFlightEvents inFlight,
            SendQueue queue,
            SettlementQueue settlements,
            RelayReporter reporter) {
        this.store = store;
        this.inFlight = inFlight;
        this.queue = queue;
        this.settlements = settlements;
        this.reporter = reporter;
    }

    void add(ClaimedEvent event) {
        unchecked.incrementAndGet();
        waiting.add(event);
    }

    /** Events that have not been found yet, those included that are being looked for. */
    int waiting() {
        return unchecked.get();
    }

    void step() throws InterruptedException {
        ClaimedEvent first = waiting.poll(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        if (first == null) {
            return;
        }
        List<ClaimedEvent> events = new ArrayList<>();
        events.add(first);
        lingerFor(MOST / 4);
        waiting.drainTo(events, MOST - 1);
        linger.sent(events.size(), System.nanoTime());
        try {
            check(events);
        } finally {
            unchecked.addAndGet(-events.size());
        }
    }

    private void lingerFor(int enough) {
        for (long left = linger.pause(System.nanoTime());
                left > 0 && waiting.size() < enough && !Thread.currentThread().isInterrupted();
                left = linger.pause(System.nanoTime())) {
            LockSupport.parkNanos(this, left);
        }
    }

    private void check(List<ClaimedEvent> events) {
        Set<ClaimedEvent> committed;
        try {
            committed = new HashSet<>(store.committed(events));
        } catch (RuntimeException e) {
            // nothing is sent unseen: once the database answers, the rows that are there become due
            reporter.notChecked(events.size(), e);
            for (ClaimedEvent event : events) {
                settlements.add(new Settlement.Released(event, Duration.ZERO));
                queue.cancel(1); // after it: a stop waits for one of both
            }
            return;
        }
        int missing = 0;
        for (ClaimedEvent event : events) {
            if (committed.contains(event) && inFlight.holds(event)) {
                queue.add(event);
            } else {
                missing++;
                queue.cancel(1);
                inFlight.remove(event);
            }
        }
        if (missing > 0) {
            reporter.rolledBackUnseen(missing);
        }
    }
}
