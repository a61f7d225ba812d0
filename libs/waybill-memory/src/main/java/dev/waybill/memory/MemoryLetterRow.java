package dev.waybill.memory;

import dev.waybill.message.DeadLetter;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stored dead letter.
 *
 * @param changedAt when its state last changed: for a letter that is being replayed, when that began
 */
record MemoryLetterRow(StoredLetter stored, Instant changedAt) {

    /** What makes a letter collected twice the same letter. */
    record LetterKey(String source, String group, String key) {

        static LetterKey of(DeadLetter letter) {
            return new LetterKey(letter.source(), letter.group(), letter.key());
        }
    }

    boolean isSettled() {
        return stored.state() == State.REPLAYED || stored.state() == State.DISCARDED;
    }

    MemoryLetterRow in(State state, Instant now) {
        return with(stored.letter(), state, stored.replays(), now);
    }

    MemoryLetterRow replayed(Instant now) {
        return with(stored.letter(), State.REPLAYED, stored.replays() + 1, now);
    }

    MemoryLetterRow refused(String error, Instant now) {
        return with(stored.letter().withError(error), State.OPEN, stored.replays(), now);
    }

    MemoryLetterRow edited(byte[] body, Instant now) {
        DeadLetter old = stored.letter();
        DeadLetter edited =
                new DeadLetter(old.key(), old.source(), old.group(), old.messageId(), old.headers(), body, old.error());
        return with(edited, stored.state(), stored.replays(), now);
    }

    /** Whether the letter is of the same event, source and group as another. */
    boolean isOf(DeadLetter letter, String eventId) {
        return eventId.equals(stored.eventId())
                && stored.letter().source().equals(letter.source())
                && stored.letter().group().equals(letter.group());
    }

    boolean matches(Filter filter) {
        return equal(filter.source(), stored.letter().source())
                && equal(filter.group(), stored.letter().group())
                && equal(filter.eventType(), stored.eventType())
                && equal(filter.state(), stored.state())
                && contains(filter.errorContains(), stored.letter().error())
                && (filter.from() == null || !stored.deadAt().isBefore(filter.from()))
                && (filter.to() == null || stored.deadAt().isBefore(filter.to()));
    }

    private static boolean equal(@Nullable Object wanted, @Nullable Object actual) {
        return wanted == null || Objects.equals(wanted, actual);
    }

    private static boolean contains(@Nullable String part, @Nullable String error) {
        return part == null
                || (error != null && error.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT)));
    }

    private MemoryLetterRow with(DeadLetter letter, State state, int replays, Instant now) {
        return new MemoryLetterRow(
                new StoredLetter(
                        stored.id(),
                        letter,
                        stored.eventId(),
                        stored.eventType(),
                        state,
                        stored.deadAt(),
                        now,
                        replays),
                now);
    }
}
