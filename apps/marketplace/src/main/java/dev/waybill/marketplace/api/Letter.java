package dev.waybill.marketplace.api;

import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A dead letter as callers see it. */
record Letter(
        long id,
        String queue,
        @Nullable String eventId,
        @Nullable String eventType,
        @Nullable String error,
        State state,
        Instant deadAt,
        int replays) {

    static Letter of(StoredLetter stored) {
        return new Letter(
                stored.id(),
                stored.letter().source(),
                stored.eventId(),
                stored.eventType(),
                stored.letter().error(),
                stored.state(),
                stored.deadAt(),
                stored.replays());
    }
}
