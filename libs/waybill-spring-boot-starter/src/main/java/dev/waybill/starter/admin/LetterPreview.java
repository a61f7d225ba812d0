package dev.waybill.starter.admin;

import dev.waybill.store.DeadLetterStore.LetterSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What a decision would be about.
 *
 * @param letters how many
 * @param forgotten how many of them a replay leaves out, unless it says olderThanInbox
 * @param first the first ones
 */
record LetterPreview(long letters, long forgotten, List<LetterSummary> first) {

    private static final int SHOWN = 20;

    /** Counts them as they are found. */
    static final class Counter {

        private final Instant memoryBegins;
        private final List<LetterSummary> first = new ArrayList<>();
        private long letters;
        private long forgotten;

        Counter(Instant memoryBegins) {
            this.memoryBegins = memoryBegins;
        }

        void add(LetterSummary letter) {
            letters++;
            if (!letter.deadAt().isAfter(memoryBegins)) {
                forgotten++;
            }
            if (first.size() < SHOWN) {
                first.add(letter);
            }
        }

        LetterPreview preview() {
            return new LetterPreview(letters, forgotten, List.copyOf(first));
        }
    }
}
