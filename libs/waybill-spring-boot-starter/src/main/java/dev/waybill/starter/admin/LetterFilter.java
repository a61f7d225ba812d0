package dev.waybill.starter.admin;

import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.State;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters, as a request says it; what is left out means any.
 *
 * @param error a part of the error, in any case
 */
record LetterFilter(
        @Nullable State state,
        @Nullable String source,
        @Nullable String group,
        @Nullable String eventType,
        @Nullable String error,
        @Nullable Instant from,
        @Nullable Instant to) {

    Filter toFilter() {
        return new Filter(source, group, eventType, error, from, to, state);
    }
}
