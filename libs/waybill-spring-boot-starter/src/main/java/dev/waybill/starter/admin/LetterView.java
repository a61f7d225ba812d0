package dev.waybill.starter.admin;

import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A dead letter as a list shows it. */
record LetterView(
        long id,
        String source,
        String group,
        @Nullable String eventId,
        @Nullable String eventType,
        @Nullable String error,
        State state,
        Instant deadAt,
        int replays) {

    static LetterView of(StoredLetter stored) {
        return new LetterView(
                stored.id(),
                stored.letter().source(),
                stored.letter().group(),
                stored.eventId(),
                stored.eventType(),
                stored.letter().error(),
                stored.state(),
                stored.deadAt(),
                stored.replays());
    }

    /** One letter with its headers and body. */
    record Content(LetterView letter, @Nullable String messageId, Map<String, String> headers, BodyText body) {

        static Content of(StoredLetter stored) {
            return new Content(
                    LetterView.of(stored),
                    stored.letter().messageId(),
                    stored.letter().headers(),
                    BodyText.of(stored.letter().body()));
        }
    }
}
