package dev.waybill.marketplace.api;

import dev.waybill.store.DeadLetterStore.LetterSummary;
import dev.waybill.store.DeadLetterStore.State;
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

    static Letter of(LetterSummary letter) {
        return new Letter(
                letter.id(),
                letter.source(),
                letter.eventId(),
                letter.eventType(),
                letter.error(),
                letter.state(),
                letter.deadAt(),
                letter.replays());
    }
}
