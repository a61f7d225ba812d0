package dev.waybill.memory;

import dev.waybill.message.BodyFormat;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.MalformedEventException;
import dev.waybill.store.ClaimLimit;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Settlement;
import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The outbox's table in memory, with the promises of a database but for durability: nothing survives the process. A claim
 * looks at every row, so this is for thousands of events and not for millions.
 */
public final class MemoryOutboxStore implements OutboxStore {

    private static final Comparator<MemoryOutboxRow> LONGEST_DUE_FIRST =
            Comparator.comparing(MemoryOutboxRow::due).thenComparing(MemoryOutboxRow::id);

    private final MemoryTransactions transactions;
    private final MemoryDatabase database;
    private final MemoryDeadRows deadRows;
    private final Runnable beforeCommit;

    /** A store whose rows commit with these transactions. Two stores of the same transactions share their rows. */
    public MemoryOutboxStore(MemoryTransactions transactions) {
        this(transactions, () -> {});
    }

    MemoryOutboxStore(MemoryTransactions transactions, Runnable beforeCommit) {
        this.transactions = transactions;
        this.database = transactions.database();
        this.deadRows = new MemoryDeadRows(transactions);
        this.beforeCommit = beforeCommit;
    }

    @Override
    public List<ClaimedEvent> append(List<Event> events, @Nullable Lease lease) {
        return transactions.transaction().statement(() -> {
            List<ClaimedEvent> claimed = new ArrayList<>(events.size());
            synchronized (database) {
                Instant now = database.now();
                for (Event event : events) {
                    claimed.add(append(event, lease, now));
                }
            }
            return claimed;
        });
    }

    private ClaimedEvent append(Event event, @Nullable Lease lease, Instant now) {
        long id = newRow(event.eventId());
        String fence = lease == null ? null : newFence(lease);
        Instant due = lease == null ? now : now.plus(lease.duration());
        write(MemoryOutboxRow.fresh(id, event.eventId(), text(event), event.destination(), due, fence));
        return new ClaimedEvent(String.valueOf(id), event, 0, fence == null ? "" : fence);
    }

    /**
     * Adds a row as other software writes it, outside every transaction: due at once, and only read when it is claimed.
     *
     * @param envelope the event's JSON; anything else becomes an unreadable row
     */
    public void insert(String eventId, String envelope, @Nullable Destination destination) {
        transactions.inTransaction(() -> {
            synchronized (database) {
                write(MemoryOutboxRow.fresh(newRow(eventId), eventId, envelope, destination, database.now(), null));
            }
            return true;
        });
    }

    @Override
    public List<ClaimedEvent> committed(List<ClaimedEvent> appended) {
        return appended.stream()
                .filter(event -> database.outbox.read(Long.valueOf(event.rowKey())) != null)
                .toList();
    }

    @Override
    public List<ClaimedRow> claim(Lease lease, ClaimLimit limit, Set<String> exceptTopics) {
        return own(() -> {
            synchronized (database) {
                Instant now = database.now();
                return database.outbox.unlocked(row -> row.isDue(now) && !isFor(exceptTopics, row)).stream()
                        .sorted(LONGEST_DUE_FIRST)
                        .limit(limit.rows())
                        .takeWhile(fitsInto(limit.bytes()))
                        .map(row -> take(row, lease, now))
                        .toList();
            }
        });
    }

    /** True for the first row, and for those after it as long as all together are not too large. */
    private static Predicate<MemoryOutboxRow> fitsInto(long bytes) {
        AtomicLong taken = new AtomicLong();
        return row -> {
            boolean first = taken.get() == 0;
            return taken.addAndGet(row.bytes()) <= bytes || first;
        };
    }

    private ClaimedRow take(MemoryOutboxRow row, Lease lease, Instant now) {
        String fence = newFence(lease);
        write(row.taken(fence, now.plus(lease.duration())));
        return row.claimed(fence);
    }

    @Override
    public List<ClaimedEvent> renew(Lease lease, List<ClaimedEvent> claimedEvents) {
        return own(() -> {
            List<ClaimedEvent> renewed = new ArrayList<>(claimedEvents.size());
            for (ClaimedEvent claimed : claimedEvents) {
                Instant leaseEnd = database.now().plus(lease.duration());
                if (update(claimed, row -> row.dueAt(leaseEnd))) {
                    renewed.add(claimed);
                }
            }
            return renewed;
        });
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return own(() -> {
            int written = 0;
            for (Settlement settlement : settlements) {
                if (update(settlement.row(), row -> settled(row, settlement))) {
                    deadRows.remember(settlement);
                    written++;
                }
            }
            return written;
        });
    }

    private MemoryOutboxRow settled(MemoryOutboxRow row, Settlement settlement) {
        Instant now = database.now();
        if (settlement instanceof Settlement.Sent sent) {
            return row.sent(sent.brokerId(), now);
        } else if (settlement instanceof Settlement.Retry retry) {
            return row.retrying(now.plus(retry.delay()), MemoryDatabase.cut(retry.error()));
        } else if (settlement instanceof Settlement.Dead dead) {
            return row.dead(now, MemoryDatabase.cut(dead.error()));
        }
        return row.released(now.plus(((Settlement.Released) settlement).delay()));
    }

    @Override
    public Backlog backlog() {
        return deadRows.backlog();
    }

    @Override
    public List<DeadEvent> dead(int limit) {
        return deadRows.list(limit);
    }

    @Override
    public List<DeadSummary> deadSummaries(int limit, @Nullable String after) {
        return deadRows.summaries(limit, after);
    }

    @Override
    public int requeue(List<String> eventIds, OperatorDecision decision) {
        return deadRows.requeue(eventIds, decision);
    }

    @Override
    public boolean edit(String eventId, String payload, OperatorDecision decision) {
        return deadRows.edit(eventId, payload, decision);
    }

    @Override
    public int discard(List<String> eventIds, OperatorDecision decision) {
        return deadRows.discard(eventIds, decision);
    }

    @Override
    public int sweepSettled(Duration olderThan, int limit) {
        return own(() -> deadRows.sweepSent(olderThan, limit));
    }

    @Override
    public int sweepDead(Duration olderThan, int limit) {
        return own(() -> deadRows.sweepDead(olderThan, limit));
    }

    @Override
    public int sweepAttempts(Duration olderThan, int limit) {
        return own(() -> deadRows.sweepAttempts(olderThan, limit));
    }

    @Override
    public int sweepAudit(Duration olderThan, int limit) {
        return own(() -> database.sweepAudit(false, olderThan, limit, transactions.transaction()));
    }

    /** There is no table that could be missing. */
    @Override
    public void verify() {}

    /** Writes a row if the claim on it still holds. */
    private boolean update(ClaimedRow claimed, UnaryOperator<MemoryOutboxRow> change) {
        synchronized (database) {
            MemoryOutboxRow row = database.outbox.lockable(Long.valueOf(claimed.rowKey()), transactions.transaction());
            if (row == null || !row.isClaimedBy(claimed)) {
                return false;
            }
            write(change.apply(row));
            return true;
        }
    }

    /** The id of a new row; each event has one row only. */
    private long newRow(String eventId) {
        MemoryTransaction transaction = transactions.transaction();
        database.outboxIds.requireFree(eventId, transaction);
        if (database.outboxIds.read(eventId, transaction) != null) {
            throw new StoreException(Reason.DUPLICATE, "event " + eventId + " is in the outbox already", null);
        }
        long id = database.nextId();
        database.outboxIds.write(eventId, id, transaction);
        return id;
    }

    private String newFence(Lease lease) {
        return lease.token() + "#" + database.nextId();
    }

    private static String text(Event event) {
        try {
            return new String(Envelope.encode(event, BodyFormat.ENVELOPE), StandardCharsets.UTF_8);
        } catch (MalformedEventException e) {
            throw new StoreException(Reason.VALUE, String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean isFor(Set<String> topics, MemoryOutboxRow row) {
        Destination destination = row.destination();
        return destination != null && topics.contains(destination.topic());
    }

    private void write(MemoryOutboxRow row) {
        database.outbox.write(row.id(), row, transactions.transaction());
    }

    /** Each of the store's own statements is a short transaction. */
    private <T> T own(Supplier<T> work) {
        return transactions.inTransaction(() -> {
            T result = work.get();
            beforeCommit.run();
            return result;
        });
    }
}
