package dev.waybill.memory;

import dev.waybill.memory.MemoryInboxRow.EventKey;
import dev.waybill.memory.MemoryInboxRow.State;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.store.Admission;
import dev.waybill.store.InboxStore;
import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The consume log in memory, with the promises of a database but for durability: nothing survives the process. */
public final class MemoryInboxStore implements InboxStore {

    /** How long a copy waits for the transaction that handles the same event. */
    private static final Duration PATIENCE = Duration.ofMillis(200);

    /** Characters of an event's id that fit, as in the tables that Waybill ships. */
    private static final int ID_LENGTH = 64;

    private final MemoryTransactions transactions;
    private final MemoryDatabase database;

    /** A consume log whose rows commit with these transactions. */
    public MemoryInboxStore(MemoryTransactions transactions) {
        this.transactions = transactions;
        this.database = transactions.database();
    }

    @Override
    public Admission admit(Event event, String group) {
        MemoryTransaction transaction = transactions.transaction();
        EventKey key = key(event, group);
        synchronized (database) {
            if (!database.inbox.awaitFree(key, transaction, PATIENCE)) {
                return new Admission.InProgress();
            }
            MemoryInboxRow row = database.inbox.read(key, transaction);
            if (row != null && row.state().isDone()) {
                return new Admission.AlreadyDone();
            }
            int attempts = row == null ? 0 : row.attempts();
            String error = row == null ? null : row.error();
            write(key, State.PROCESSING, attempts, error, null);
            return new Admission.Admitted(event.eventId(), attempts);
        }
    }

    @Override
    public void settle(Event event, String group, Admission.Admitted admitted, HandlerResult result, Duration cost) {
        MemoryTransaction transaction = transactions.transaction();
        EventKey key = key(event, group);
        synchronized (database) {
            MemoryInboxRow row = database.inbox.read(key, transaction);
            if (row == null || row.state() != State.PROCESSING) {
                throw new StoreException(
                        Reason.FAILED,
                        "the row of event " + event.eventId() + " in group " + group
                                + " is gone: was its admission rolled back to a savepoint?",
                        null);
            }
            if (result instanceof HandlerResult.Ignored ignored) {
                write(key, State.IGNORED, row.attempts(), MemoryDatabase.cut(ignored.reason()), cost);
            } else {
                write(key, State.SUCCESS, row.attempts(), null, cost);
            }
        }
    }

    @Override
    public void fail(Event event, String group, String error) {
        EventKey key = key(event, group);
        transactions.inTransaction(() -> {
            synchronized (database) {
                MemoryInboxRow row = database.inbox.lockable(key, transactions.transaction());
                if (row == null || !row.state().isDone()) {
                    int failures = row == null ? 1 : row.attempts() + 1;
                    write(key, State.FAILED, failures, MemoryDatabase.cut(error), null);
                }
            }
            return true;
        });
    }

    @Override
    public Optional<String> lastError(String eventId, String group) {
        MemoryInboxRow row = database.inbox.read(new EventKey(eventId, group));
        return row == null || row.state() != State.FAILED ? Optional.empty() : Optional.ofNullable(row.error());
    }

    /** Always: it is this process's own memory. */
    @Override
    public boolean answers() {
        return true;
    }

    @Override
    public boolean isTransient(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof StoreException store
                    && (store.reason() == Reason.CONFLICT || store.reason() == Reason.UNAVAILABLE)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int sweep(Duration olderThan, int limit) {
        return sweep(State::isDone, olderThan, limit);
    }

    @Override
    public int sweepFailed(Duration olderThan, int limit) {
        return sweep(state -> !state.isDone(), olderThan, limit);
    }

    private int sweep(Predicate<State> state, Duration olderThan, int limit) {
        return transactions.inTransaction(() -> {
            Instant before = database.now().minus(olderThan);
            return database.inbox
                    .sweep(
                            row -> state.test(row.state()) && !row.changedAt().isAfter(before),
                            limit,
                            transactions.transaction())
                    .size();
        });
    }

    /** There is no table that could be missing, and every group has rows of its own. */
    @Override
    public void verify(String group) {}

    private void write(EventKey key, State state, int attempts, @Nullable String error, @Nullable Duration cost) {
        database.inbox.write(
                key, new MemoryInboxRow(key, state, attempts, error, cost, database.now()), transactions.transaction());
    }

    private static EventKey key(Event event, String group) {
        if (event.eventId().length() > ID_LENGTH) {
            throw new StoreException(
                    Reason.VALUE, "an event's id has at most " + ID_LENGTH + " characters: " + event.eventId(), null);
        }
        return new EventKey(event.eventId(), group);
    }
}
