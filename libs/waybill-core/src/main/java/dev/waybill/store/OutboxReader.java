package dev.waybill.store;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads an outbox for people: finds events, shows one with what happened to it. Writes and locks nothing, and no call reads more
 * than a bounded number of rows, however many the table holds.
 */
public interface OutboxReader {

    /** Rows of a page at most. */
    int LARGEST_PAGE = 200;

    /** What this table can be asked for. Without a column for it, an event is not looked for. */
    Set<EventFilter.Field> fields();

    /**
     * Finds events, latest first as far as the table's key is in the order of time. A search that no index answers reads so
     * many rows and then gives back what it found, maybe nothing; its {@link Page#next} goes on.
     *
     * @param limit 1 to {@link #LARGEST_PAGE}
     * @param after the page before's {@link Page#next}; null for the first page
     * @throws StoreException UNSUPPORTED naming the filter for which the table has no column
     */
    Page search(EventFilter filter, int limit, @Nullable String after);

    /** The event in the row that {@link FoundEvent#rowKey} names. */
    Optional<StoredEvent> find(String rowKey);

    /** Sends of this event that failed, latest first. Empty where nothing keeps them. */
    List<FailedAttempt> attempts(String eventId, int limit);

    /** Sends that failed, latest first. */
    List<FailedAttempt> latestAttempts(int limit);

    /**
     * A part of what was found.
     *
     * @param next where to go on; null when there is no more
     */
    record Page(List<FoundEvent> events, @Nullable String next) {}
}
