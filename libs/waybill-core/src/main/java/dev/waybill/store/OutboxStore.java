package dev.waybill.store;

import dev.waybill.message.Event;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The outbox's table. Safe for many threads and many processes at once; between relays there is nothing but its rows.
 *
 * <p>A lease that ran out loses nothing and overwrites nothing: the row is due for everyone, and what its former holder
 * still settles is ignored.
 */
public interface OutboxStore {

    /**
     * Adds rows inside the caller's transaction, with one statement.
     *
     * @param lease whose hand-off the rows wait for; null makes them due now
     * @return the claimed events in the order of the events. A table that makes ids of its own has put them into the events.
     */
    List<ClaimedEvent> append(List<Event> events, @Nullable Lease lease);

    /**
     * Finds out which appended rows have committed, with one statement that locks nothing. Asked after the commit: a
     * transaction can lose rows that it appended and commit all the same.
     *
     * @return those whose rows are in the table
     */
    List<ClaimedEvent> committed(List<ClaimedEvent> appended);

    /**
     * Takes due rows, longest due first, in a short transaction of its own. Rows that others are just taking are passed
     * over, not waited for.
     *
     * @param limit how much to take at most, in rows and in bytes
     * @param exceptTopics rows for these topics stay untouched, where the table stores topics; of more than 4,096 topics, rows
     *     of some may be taken all the same
     */
    List<ClaimedRow> claim(Lease lease, ClaimLimit limit, Set<String> exceptTopics);

    /** A claim of so many rows at most, whatever their size. */
    default List<ClaimedRow> claim(Lease lease, int rows, Set<String> exceptTopics) {
        return claim(lease, ClaimLimit.ofRows(rows), exceptTopics);
    }

    /**
     * Keeps claimed rows for another lease.
     *
     * @return those still claimed, which know their new fences; one that is missing belongs to somebody else now
     */
    List<ClaimedEvent> renew(Lease lease, List<ClaimedEvent> claimedEvents);

    /**
     * Writes settlements, each only where the fence still holds; one statement for all that was sent.
     *
     * @return how many rows were written; fewer than given means that some were no longer ours
     */
    int settle(List<Settlement> settlements);

    /**
     * What the table holds now. For people, tests and alerts, not for the hot path: of each state so many rows are counted as
     * {@link Backlog} says, by index entries, on some layouts by the rows. A table without an index that leads to its waiting
     * rows is read whole.
     */
    Backlog backlog();

    /** Rows that nobody sends any more, oldest first. */
    List<DeadEvent> dead(int limit);

    /**
     * DEAD rows without their payloads, in the order of their keys: a way through all of them that holds few at once.
     *
     * @param after the last one's {@link DeadSummary#rowKey}; null for the first ones
     */
    List<DeadSummary> deadSummaries(int limit, @Nullable String after);

    /**
     * Makes DEAD rows due again with fresh attempts, and writes who did it.
     *
     * @return how many of these ids named a DEAD row
     */
    int requeue(List<String> eventIds, OperatorDecision decision);

    /**
     * Changes the payload of a DEAD row, before it is requeued; the audit keeps the event as it was.
     *
     * @return false when no DEAD row that can be read has this id
     * @throws StoreException VALUE when the payload is no JSON, or does not fit its column
     */
    boolean edit(String eventId, String payload, OperatorDecision decision);

    /**
     * Removes DEAD rows for good, keeping an audit record of each.
     *
     * @return how many of these ids named a DEAD row
     */
    int discard(List<String> eventIds, OperatorDecision decision);

    /**
     * Deletes rows that were sent, or discarded where those stay, so long ago; in small chunks, at most so many. What waits
     * and what is DEAD stays, however old it is. A table in partitions gets those of later periods made, and loses those in which
     * everything is settled and old; their rows count, whatever the limit.
     *
     * @return how many there were. Fewer than the limit means that this call found no more; it reads a bounded part of the
     *     table, and the next call goes on behind it
     */
    int sweepSettled(Duration olderThan, int limit);

    /**
     * Deletes rows that are DEAD and last changed so long ago, as far as the table tells; in small chunks, at most so many.
     * Their events are never sent: only for those who would rather lose them than keep them.
     *
     * @return how many there were
     */
    int sweepDead(Duration olderThan, int limit);

    /**
     * Deletes the errors of sends that failed so long ago, where they are stored apart from the rows; in small chunks, at most
     * so many. The errors of an event that waits or is DEAD stay.
     *
     * @return how many there were
     */
    int sweepAttempts(Duration olderThan, int limit);

    /**
     * Deletes the audit's records of decisions about this table's rows that were made so long ago; in small chunks, at most so
     * many. What they say is then known to nobody.
     *
     * @return how many there were
     */
    int sweepAudit(Duration olderThan, int limit);

    /** Checks table, columns and privileges, so that a mistake shows at start-up with the fix named. */
    void verify();

    /** Tells a relay of commits elsewhere, ahead of its next look; null where the database or its settings have no such thing. */
    default @Nullable RemoteCommits remoteCommits() {
        return null;
    }

    /**
     * Counts by state. Rows claimed right now count as what they were.
     *
     * @param fresh never tried and not yet sent; beyond {@link #MOST_WAITING} as the database's statistics estimate it
     * @param retrying failed at least once, to be tried again; beyond {@link #MOST_WAITING} waiting rows, those among the latest
     *     due ones, or estimated where they have a word of their own
     * @param sent confirmed by the broker, counted up to {@link #MOST_SENT}; may be estimated in a table of over 100,000 rows
     * @param dead given up, counted up to {@link #MOST_DEAD}
     * @param oldestDue how long the longest-due row has been due; zero when none is
     */
    record Backlog(long fresh, long retrying, long sent, long dead, Duration oldestDue) {

        /** So many waiting rows are counted one by one. */
        public static final long MOST_WAITING = 20_000;

        /** So many DEAD rows are counted. */
        public static final long MOST_DEAD = 10_000;

        /** So many sent rows are counted. There may be millions, and nobody waits for them. */
        public static final long MOST_SENT = 10_000;

        /** Everything that still has to go out. */
        public long waiting() {
            return fresh + retrying;
        }
    }

    /**
     * A row that was given up.
     *
     * @param event what the row says; null for a row that cannot be read
     * @param error the last error, where the store could keep it
     */
    record DeadEvent(
            String eventId,
            @Nullable Event event,
            int attempts,
            @Nullable String error) {}

    /**
     * What there is to choose a DEAD row by.
     *
     * @param type as far as the row tells it beside its payload; {@link UnreadableRow#TYPE} for a row that cannot be read
     * @param error the last error, where the store could keep it
     */
    record DeadSummary(
            String rowKey,
            String eventId,
            String type,
            @Nullable String error) {}
}
