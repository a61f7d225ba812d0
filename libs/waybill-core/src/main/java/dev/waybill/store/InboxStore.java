package dev.waybill.store;

import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import java.time.Duration;
import java.util.Optional;

/**
 * The consume log: which events a group has handled. Unique by event and group; the handler's own writes and its row
 * commit together, so that an event has exactly one effect.
 */
public interface InboxStore {

    /**
     * Asks for an event inside the caller's transaction, with one statement when it is new. A copy that is being handled
     * elsewhere is waited for a short while at most.
     */
    Admission admit(Event event, String group);

    /**
     * Writes what became of an admitted event inside the same transaction, with one statement.
     *
     * @param result {@link HandlerResult.Done} becomes SUCCESS, {@link HandlerResult.Ignored} IGNORED with its reason; the
     *     others roll back and never come here
     * @param cost how long the handler took
     */
    void settle(Event event, String group, Admission.Admitted admitted, HandlerResult result, Duration cost);

    /** Writes a failure in a transaction of its own, after the handler's was rolled back. Never touches a row that is done. */
    void fail(Event event, String group, String error);

    /** Why this event failed last in this group, where that is known. */
    Optional<String> lastError(String eventId, String group);

    /** Whether the database can be used now; bounded in time, never throws. */
    boolean answers();

    /**
     * Whether a failure is, however deep in its causes, a passing trouble of the database (a broken connection, a
     * deadlock, a lock that was not free in time) and not of the work that met it.
     */
    boolean isTransient(Throwable failure);

    /**
     * Deletes done rows older than this, in small chunks, at most so many; returns how many there were. Rows of events that
     * failed stay, see {@link #sweepFailed}.
     */
    int sweep(Duration olderThan, int limit);

    /**
     * Deletes rows of events that failed, or that other software began to handle, and that were never done; in small chunks,
     * at most so many. Passes over what is being handled again right now. Where the table knows when a row last changed, the
     * age counts from the last failure, else from the first.
     *
     * <p>A message whose row is gone is admitted as a new one: no effect is repeated, but its failures are counted from zero
     * and its last error is no longer known. So this age is an own one, longer than the broker delivers a message and a dead
     * letter waits for a person.
     *
     * @return how many there were; zero on a layout that keeps no failures
     */
    int sweepFailed(Duration olderThan, int limit);

    /**
     * Checks table, columns and privileges; on a layout that keeps no group, that no second group shares the events.
     *
     * @throws StoreException with the fix named
     */
    void verify(String group);
}
