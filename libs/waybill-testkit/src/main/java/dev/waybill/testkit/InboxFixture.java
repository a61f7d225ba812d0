package dev.waybill.testkit;

import dev.waybill.store.InboxStore;
import dev.waybill.store.TransactionRunner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@link InboxStoreContract} needs to know about a consume log under test, and direct access to its table. */
public interface InboxFixture extends AutoCloseable {

    /** How the caller's transactions see each other. */
    enum Isolation {
        READ_COMMITTED,
        REPEATABLE_READ
    }

    /** A consumer's process: its store, and the transactions in which the store admits. */
    record InboxProcess(InboxStore store, TransactionRunner transactions) {}

    /** A process whose transactions are isolated like this; the same one each time. */
    InboxProcess process(Isolation isolation);

    /** Runs work in a transaction of a process of its own, which then dies without commit or rollback. */
    void dieAfter(Work work);

    /** What a process does with its store before it dies. */
    @FunctionalInterface
    interface Work {
        void with(InboxStore store);
    }

    /** A business write in this process's current transaction. */
    void effect(InboxProcess process, String name);

    /** The committed effects. */
    List<String> effects();

    /** How many statements this process's transactions have executed, without BEGIN, COMMIT, ROLLBACK and SET. */
    long statements(InboxProcess process);

    /** How long this process's current transaction lets a statement wait for a lock, as the database prints it. */
    String lockWait(InboxProcess process);

    /** The same in a session that never used a consume log. */
    String usualLockWait();

    /** What the table says; null when there is no row. */
    @Nullable StoredRow row(String eventId, String group);

    /** Inserts the row that other software leaves behind when it dies while it handles the event. */
    void insertStale(String eventId, String group);

    /** Moves all of the table's times a day into the past. */
    void makeOld();

    /** Empties the table and forgets the effects. */
    void clear();

    Traits traits();

    @Override
    void close();

    /**
     * A row as the table holds it.
     *
     * @param done whether it counts as handled
     * @param everything all of its columns as one text, for telling whether anything changed
     */
    record StoredRow(
            boolean done,
            @Nullable String state,
            int attempts,
            @Nullable String error,
            boolean costKnown,
            String everything) {}

    /**
     * What a consume log can and cannot do.
     *
     * @param keepsGroups several groups may consume one event; else a second group is refused
     * @param keepsStates failures leave a row; else a row means done
     * @param distinguishesIgnored an ignored event has a status of its own
     * @param keepsErrors there is a place for errors and for attempts
     * @param keepsCost there is a place for the handler's cost
     * @param errorLength characters of an error that are kept
     * @param idLength characters of an event's id that fit
     */
    record Traits(
            boolean keepsGroups,
            boolean keepsStates,
            boolean distinguishesIgnored,
            boolean keepsErrors,
            boolean keepsCost,
            int errorLength,
            int idLength) {}
}
