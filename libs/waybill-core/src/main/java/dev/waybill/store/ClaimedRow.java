package dev.waybill.store;

import java.util.List;

/** A row that one relay may settle while its fence holds. Most rows hold an event; a few cannot be read. */
public sealed interface ClaimedRow permits ClaimedEvent, UnreadableRow {

    /** Names the row; only the store reads it. */
    String rowKey();

    /** The id of the row's event; for a row that cannot be read, what comes nearest to it. */
    String eventId();

    /** Sends that failed so far. */
    int attempts();

    /** Proof of the claim; only the store reads it, and it changes whenever somebody else takes the row. */
    String fence();

    /** Those of the rows that hold events. */
    static List<ClaimedEvent> events(List<? extends ClaimedRow> rows) {
        return rows.stream()
                .filter(ClaimedEvent.class::isInstance)
                .map(ClaimedEvent.class::cast)
                .toList();
    }
}
