package dev.waybill.memory;

import dev.waybill.store.FailedAttempt;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.StoreException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The tables behind the stores in memory, their clock, and the one lock that guards every row. */
final class MemoryDatabase {

    /** How long a statement waits for a row that another transaction has written. */
    static final Duration LOCK_WAIT = Duration.ofSeconds(2);

    /** Characters of an error that are stored. */
    private static final int ERROR_LENGTH = 2_000;

    final MemoryTable<Long, MemoryOutboxRow> outbox = new MemoryTable<>(this);

    /** The outbox's rows by event: what makes a second row of the same event a duplicate. */
    final MemoryTable<String, Long> outboxIds = new MemoryTable<>(this);

    final MemoryTable<MemoryInboxRow.EventKey, MemoryInboxRow> inbox = new MemoryTable<>(this);
    final MemoryTable<Long, MemoryLetterRow> letters = new MemoryTable<>(this);

    /** The letters by what makes them unique. */
    final MemoryTable<MemoryLetterRow.LetterKey, Long> letterIds = new MemoryTable<>(this);

    final MemoryTable<Long, MemoryAuditRecord> audit = new MemoryTable<>(this);

    /** The sends that failed. */
    final MemoryTable<Long, FailedAttempt> attempts = new MemoryTable<>(this);

    private final AtomicLong ids = new AtomicLong();
    private final Clock clock;

    MemoryDatabase(Clock clock) {
        this.clock = clock;
    }

    Instant now() {
        return clock.instant();
    }

    long nextId() {
        return ids.incrementAndGet();
    }

    /** Writes down what a person decided, in the transaction of the act. */
    void audit(
            String action,
            OperatorDecision decision,
            @Nullable Long letterId,
            @Nullable String eventId,
            @Nullable String content,
            MemoryTransaction transaction) {
        audit.write(nextId(), new MemoryAuditRecord(action, decision, letterId, eventId, content, now()), transaction);
    }

    /** Deletes old records of decisions, about letters or about rows of the outbox. */
    int sweepAudit(boolean ofLetters, Duration olderThan, int limit, MemoryTransaction transaction) {
        Instant before = now().minus(olderThan);
        return audit.sweep(
                        record -> (record.letterId() != null) == ofLetters
                                && !record.at().isAfter(before),
                        limit,
                        transaction)
                .size();
    }

    /**
     * Waits until the condition holds; called with this object's monitor, which the wait gives away. The wait is counted in
     * real time, because a test's clock may stand still.
     *
     * @return false when the time was over first
     */
    boolean await(BooleanSupplier condition, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException(
                        StoreException.Reason.CONFLICT, "interrupted while waiting for another transaction's row", e);
            }
        }
        return true;
    }

    /** An error as far as it is stored, cut between characters. */
    static String cut(String error) {
        if (error.length() <= ERROR_LENGTH) {
            return error;
        }
        boolean insidePair = Character.isHighSurrogate(error.charAt(ERROR_LENGTH - 1));
        return error.substring(0, insidePair ? ERROR_LENGTH - 1 : ERROR_LENGTH);
    }
}
