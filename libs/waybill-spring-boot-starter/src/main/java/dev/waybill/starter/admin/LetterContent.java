package dev.waybill.starter.admin;

import dev.waybill.store.DeadLetterStore.LetterSummary;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One letter with its headers and body. */
record LetterContent(LetterSummary letter, @Nullable String messageId, Map<String, String> headers, BodyText body) {

    static LetterContent of(StoredLetter stored) {
        return new LetterContent(
                LetterSummary.of(stored),
                stored.letter().messageId(),
                stored.letter().headers(),
                BodyText.of(stored.letter().body()));
    }
}
