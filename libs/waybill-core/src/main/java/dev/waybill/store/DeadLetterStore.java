package dev.waybill.store;

import dev.waybill.message.DeadLetter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Dead letters in a table, so that they do not expire. Every act of a person is audited. */
public interface DeadLetterStore {

    /** Where a letter stands. */
    enum State {
        /** Nobody has settled it: it counts for the alert. */
        OPEN,
        /** A replay was asked for and is not answered yet; after a crash somebody else sends it. */
        REPLAYING,
        /** Back at its group. If it fails again, that is another OPEN letter of its own. */
        REPLAYED,
        DISCARDED
    }

    /**
     * A letter in the table.
     *
     * @param changedAt when its state or its body had last changed before it was read
     */
    record StoredLetter(
            long id,
            DeadLetter letter,
            @Nullable String eventId,
            @Nullable String eventType,
            State state,
            Instant deadAt,
            Instant changedAt,
            int replays) {}

    /** A letter without its headers and its body, which may be large. */
    record LetterSummary(
            long id,
            String source,
            String group,
            @Nullable String eventId,
            @Nullable String eventType,
            @Nullable String error,
            State state,
            Instant deadAt,
            int replays) {

        public static LetterSummary of(StoredLetter stored) {
            return new LetterSummary(
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
    }

    /** Which letters; null means any. */
    record Filter(
            @Nullable String source,
            @Nullable String group,
            @Nullable String eventType,
            @Nullable String errorContains,
            @Nullable Instant from,
            @Nullable Instant to,
            @Nullable State state) {

        public static Filter any() {
            return new Filter(null, null, null, null, null, null, null);
        }

        public Filter withState(State state) {
            return new Filter(source, group, eventType, errorContains, from, to, state);
        }

        /** Also before this moment. */
        public Filter before(Instant moment) {
            Instant earlier = to == null || moment.isBefore(to) ? moment : to;
            return new Filter(source, group, eventType, errorContains, from, earlier, state);
        }
    }

    /**
     * Saves a letter once, however often it is collected: under a key that is known nothing changes, whatever has become
     * of the letter since. One that was replayed and dead-lettered again comes under a new key and is a new OPEN letter, which
     * counts the replays before it.
     */
    void save(DeadLetter letter, @Nullable String eventId, @Nullable String eventType);

    List<StoredLetter> list(Filter filter, int limit, long afterId);

    /** The same letters without their headers and bodies: for lists that a person looks through, and to choose from. */
    List<LetterSummary> summaries(Filter filter, int limit, long afterId);

    long count(Filter filter);

    Optional<StoredLetter> find(long id);

    /** Changes the body; only OPEN letters. The old body stays in the audit. */
    boolean edit(long id, byte[] body, OperatorDecision decision);

    /** Marks OPEN letters as REPLAYING and returns those marked. */
    List<StoredLetter> beginReplay(List<Long> ids, OperatorDecision decision);

    /**
     * Takes over letters whose replay was begun so long ago and neither confirmed nor refused, oldest first: what a crash
     * left behind. Taking over counts as beginning, so that two processes do not take the same ones.
     */
    List<StoredLetter> takeOver(Duration begunBefore, int limit);

    /** The broker confirmed it. */
    void replayed(long id);

    /** The broker did not take it: OPEN again, with the error noted. */
    void replayFailed(long id, String error);

    /** The broker was not there to ask: OPEN again, with the error that it had. */
    void putBack(long id);

    /** Only OPEN letters; returns how many there were. */
    int discard(List<Long> ids, OperatorDecision decision);

    /**
     * Deletes letters that were replayed or discarded so long ago; in small chunks, at most so many. OPEN letters, and those
     * whose replay is under way, stay. A letter that is collected again after its row is gone counts as a new one, so the age
     * is longer than the broker keeps letters.
     *
     * @return how many there were
     */
    int sweepSettled(Duration olderThan, int limit);

    /**
     * Deletes the audit's records of decisions about letters that were made so long ago; in small chunks, at most so many.
     *
     * @return how many there were
     */
    int sweepAudit(Duration olderThan, int limit);
}
