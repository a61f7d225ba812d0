package dev.waybill.starter.admin;

import dev.waybill.store.EventFilter;
import dev.waybill.store.EventState;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which events, as a request says it; what is left out means any.
 *
 * @param key the business key; where the table has none, the aggregate's id
 * @param state one state, or several with commas
 * @param from written at this moment or later
 * @param to written before this moment
 */
record EventQuery(
        @Nullable String eventId,
        @Nullable String key,
        @Nullable String traceId,
        @Nullable String type,
        @Nullable String topic,
        @Nullable String tag,
        @Nullable Set<EventState> state,
        @Nullable Instant from,
        @Nullable Instant to) {

    /** @throws AdminRefusal for a text that no column holds */
    EventFilter toFilter() {
        try {
            return new EventFilter(
                    given(eventId),
                    given(key),
                    given(traceId),
                    given(type),
                    given(topic),
                    given(tag),
                    state == null ? Set.of() : state,
                    from,
                    to);
        } catch (IllegalArgumentException e) {
            throw new AdminRefusal(AdminError.BAD_INPUT, String.valueOf(e.getMessage()));
        }
    }

    /** An empty field of a form asks for nothing. */
    private static @Nullable String given(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }
}
