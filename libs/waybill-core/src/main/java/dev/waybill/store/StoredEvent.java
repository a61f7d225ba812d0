package dev.waybill.store;

import dev.waybill.message.Event;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event with all that its row says; null where the table has no column for it.
 *
 * @param event null for a row that cannot be read as one
 * @param dueAt when a relay may take it, for a row that waits
 * @param error the last error
 */
public record StoredEvent(
        FoundEvent found,
        @Nullable Event event,
        @Nullable Instant dueAt,
        @Nullable Instant sentAt,
        @Nullable String brokerId,
        @Nullable String error) {}
