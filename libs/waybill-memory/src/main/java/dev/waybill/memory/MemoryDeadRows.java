package dev.waybill.memory;

import dev.waybill.memory.MemoryOutboxRow.State;
import dev.waybill.message.Event;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.FailedAttempt;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.OutboxStore.Backlog;
import dev.waybill.store.OutboxStore.DeadEvent;
import dev.waybill.store.OutboxStore.DeadSummary;
import dev.waybill.store.Settlement;
import dev.waybill.store.UnreadableRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the outbox holds, which of its sends failed, which of its rows are DEAD, what people decide, and what has grown old. */
final class MemoryDeadRows {

    /** Memory is one process's. */
    private static final String THIS_PROCESS =
            "process " + ProcessHandle.current().pid();

    private final MemoryTransactions transactions;
    private final MemoryDatabase database;

    MemoryDeadRows(MemoryTransactions transactions) {
        this.transactions = transactions;
        this.database = transactions.database();
    }

    Backlog backlog() {
        Instant now = database.now();
        List<MemoryOutboxRow> rows = database.outbox.readAll();
        Duration oldest = rows.stream()
                .filter(row -> row.isDue(now))
                .map(row -> Duration.between(row.due(), now))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        return new Backlog(
                count(rows, State.FRESH),
                count(rows, State.RETRYING),
                Math.min(Backlog.MOST_SENT, count(rows, State.SENT)),
                count(rows, State.DEAD),
                oldest);
    }

    List<DeadEvent> list(int limit) {
        return database.outbox.readAll().stream()
                .filter(row -> row.state() == State.DEAD)
                .limit(limit)
                .map(MemoryOutboxRow::asDead)
                .toList();
    }

    List<DeadSummary> summaries(int limit, @Nullable String after) {
        long last = after == null ? 0 : Long.parseLong(after);
        return database.outbox.readAll().stream()
                .filter(row -> row.state() == State.DEAD && row.id() > last)
                .sorted(Comparator.comparing(MemoryOutboxRow::id))
                .limit(limit)
                .map(MemoryDeadRows::summary)
                .toList();
    }

    private static DeadSummary summary(MemoryOutboxRow row) {
        Event event = row.readable();
        String type = event == null ? UnreadableRow.TYPE : event.type();
        return new DeadSummary(String.valueOf(row.id()), row.eventId(), type, row.error());
    }

    int requeue(List<String> eventIds, OperatorDecision decision) {
        return decide(eventIds, row -> {
            MemoryTransaction transaction = transactions.transaction();
            database.outbox.write(row.id(), row.requeued(database.now()), transaction);
            database.audit("REQUEUE", decision, null, row.eventId(), null, transaction);
        });
    }

    boolean edit(String eventId, String payload, OperatorDecision decision) {
        return decide(List.of(eventId), row -> {
                    MemoryTransaction transaction = transactions.transaction();
                    database.outbox.write(row.id(), row.edited(payload), transaction);
                    database.audit("EDIT", decision, null, row.eventId(), row.envelope(), transaction);
                })
                == 1;
    }

    int discard(List<String> eventIds, OperatorDecision decision) {
        return decide(eventIds, row -> {
            MemoryTransaction transaction = transactions.transaction();
            database.outbox.write(row.id(), null, transaction);
            database.outboxIds.write(row.eventId(), null, transaction);
            database.audit("DISCARD", decision, null, row.eventId(), row.envelope(), transaction);
        });
    }

    int sweepSent(Duration olderThan, int limit) {
        Instant before = database.now().minus(olderThan);
        return sweep(row -> row.wasSentBy(before), limit);
    }

    int sweepDead(Duration olderThan, int limit) {
        Instant before = database.now().minus(olderThan);
        return sweep(row -> row.diedBy(before), limit);
    }

    private int sweep(Predicate<MemoryOutboxRow> old, int limit) {
        MemoryTransaction transaction = transactions.transaction();
        List<MemoryOutboxRow> swept = database.outbox.sweep(old, limit, transaction);
        swept.forEach(row -> database.outboxIds.write(row.eventId(), null, transaction));
        return swept.size();
    }

    /** Writes down a send that failed, in the transaction that settles it. */
    void remember(Settlement settlement) {
        if (settlement instanceof Settlement.Retry retry) {
            remember(retry.row(), retry.error(), retry.took());
        } else if (settlement instanceof Settlement.Dead dead) {
            remember(dead.row(), dead.error(), dead.took());
        }
    }

    private void remember(ClaimedRow row, String error, @Nullable Duration took) {
        FailedAttempt attempt = new FailedAttempt(
                row.eventId(), row.attempts() + 1, MemoryDatabase.cut(error), database.now(), THIS_PROCESS, took);
        database.attempts.write(database.nextId(), attempt, transactions.transaction());
    }

    /** The errors of an event that waits or is DEAD stay. */
    int sweepAttempts(Duration olderThan, int limit) {
        Instant before = database.now().minus(olderThan);
        return database.attempts
                .sweep(
                        attempt -> !attempt.failedAt().isAfter(before) && !isNeeded(attempt.eventId()),
                        limit,
                        transactions.transaction())
                .size();
    }

    private boolean isNeeded(String eventId) {
        Long id = database.outboxIds.read(eventId);
        MemoryOutboxRow row = id == null ? null : database.outbox.read(id);
        return row != null && row.state() != State.SENT;
    }

    private int decide(List<String> eventIds, Consumer<MemoryOutboxRow> act) {
        return transactions.inTransaction(() -> {
            int decided = 0;
            synchronized (database) {
                for (String eventId : eventIds) {
                    Long id = database.outboxIds.read(eventId);
                    MemoryOutboxRow row = id == null ? null : database.outbox.lockable(id, transactions.transaction());
                    if (row != null && row.state() == State.DEAD) {
                        act.accept(row);
                        decided++;
                    }
                }
            }
            return decided;
        });
    }

    private static long count(List<MemoryOutboxRow> rows, State state) {
        return rows.stream().filter(row -> row.state() == state).count();
    }
}
