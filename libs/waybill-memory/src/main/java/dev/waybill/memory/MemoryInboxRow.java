package dev.waybill.memory;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of the consume log.
 *
 * @param key the event and its group
 * @param attempts how often the event failed
 * @param error why it failed last, or why it was ignored
 * @param cost how long its handler took, once it is done
 */
record MemoryInboxRow(
        EventKey key,
        State state,
        int attempts,
        @Nullable String error,
        @Nullable Duration cost,
        Instant changedAt) {

    /** One event in one group. */
    record EventKey(String eventId, String group) {}

    enum State {
        PROCESSING,
        SUCCESS,
        IGNORED,
        FAILED;

        boolean isDone() {
            return this == SUCCESS || this == IGNORED;
        }
    }
}
