package dev.waybill.testkit;

import dev.waybill.store.AuditReader;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.OutboxReader;
import dev.waybill.store.OutboxStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What {@link OutboxStoreContract} needs to know about a store under test, and direct access to its table. Times are moved in
 * the table, because the database's clock rules there.
 */
public interface OutboxFixture extends AutoCloseable {

    /** The store of one relay's process. */
    OutboxStore store();

    /** The same table seen from another process. */
    OutboxStore otherStore();

    /** A store whose own transactions run this just before they commit. */
    OutboxStore storeThatPauses(Runnable beforeCommit);

    /** Reads the same table for people. */
    OutboxReader reader();

    /** Reads the decisions about its rows. */
    AuditReader auditReader();

    /** Runs work in a transaction: committed when it returns, rolled back when it throws. */
    <T> T inTransaction(Supplier<T> work);

    /** Empties the table. */
    void clear();

    /** Moves the due times of all waiting rows into the past, keeping their order. */
    void makeDue();

    /** Sets the due times of all waiting rows to NULL, where {@link Traits#dueMayBeMissing}. */
    void removeDue();

    /** Moves the times at which rows were written, changed and sent, sends failed and operators decided, a day into the past. */
    void makeOld();

    /** How many errors of sends are stored apart from the rows. */
    int attemptRecords();

    /** What the table says about a row now; null when there is none. */
    @Nullable StoredRow row(ClaimedRow claimed);

    /** Inserts a row as a writer does that knows nothing of Waybill, and returns what it contains. */
    ForeignRow insertForeign(int number);

    /** Inserts a waiting row that cannot be read as an event. */
    void insertUnreadable();

    /** The audit's records, oldest first, as {@code ACTION actor reason eventId}. */
    List<String> audit();

    Traits traits();

    @Override
    void close();

    /** A row's state, in words that all layouts share. */
    enum RowState {
        WAITING,
        RETRYING,
        SENT,
        DEAD,
        DISCARDED
    }

    /**
     * A row as the table holds it.
     *
     * @param dueIn how long until it is due; negative when it is overdue
     * @param everything all of its columns as one text, for telling whether anything changed
     */
    record StoredRow(
            RowState state,
            int attempts,
            @Nullable String error,
            @Nullable String brokerId,
            boolean sentAtKnown,
            Duration dueIn,
            String everything) {}

    /** What a foreign writer's row contains. */
    record ForeignRow(String type, String payload) {}

    /**
     * What a store's table can and cannot do.
     *
     * @param storesTopics rows of a topic can be left out of a claim
     * @param dueMayBeMissing a row may have no due time
     * @param keepsBrokerId there is a place for the broker's message id
     * @param keepsSentAt there is a place for the time of sending
     * @param errorLength characters of an error that are kept
     * @param keepsPayloadText the payload's text comes back unchanged; else only its meaning does
     * @param makesIds the table makes the events' ids
     * @param refusesRepeats the same event cannot be appended twice
     * @param keepsBizKey the business key has a column of its own, and that has a length
     * @param discardKeepsRow a discarded row stays, with a status of its own
     */
    record Traits(
            boolean storesTopics,
            boolean dueMayBeMissing,
            boolean keepsBrokerId,
            boolean keepsSentAt,
            int errorLength,
            boolean keepsPayloadText,
            boolean makesIds,
            boolean refusesRepeats,
            boolean keepsBizKey,
            boolean discardKeepsRow) {}
}
