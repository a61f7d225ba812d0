package dev.waybill.jdbc;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Lets business transactions go first: while they append, a claim takes fewer rows at a time and rests after each of its own
 * transactions for half as long as that took. Both share the database's log, and a claim can wait. That they append is known
 * from this process's own, from claimed rows that others have just written, and, where a claim is behind, by asking for such
 * rows further on. A backlog that nobody adds to is claimed without a rest, however young it is.
 */
final class ClaimThrottle {

    static final long FRESH_MICROS = 200_000L;

    private static final long BUSY = Duration.ofMillis(20).toNanos();
    private static final long ANSWER_HOLDS = Duration.ofMillis(50).toNanos();
    private static final long LONGEST = Duration.ofMillis(10).toNanos();

    private volatile long lastAppend = System.nanoTime() - BUSY;
    private volatile long lastAsked = System.nanoTime() - ANSWER_HOLDS;
    private volatile boolean claimedFreshRows;
    private volatile boolean freshRowsWait;

    void appended() {
        lastAppend = System.nanoTime();
    }

    /** A claim has come to rows that are due since then, while the database's clock showed that. */
    void claims(long dueMicros, long wallClock) {
        claimedFreshRows = dueMicros > wallClock - FRESH_MICROS;
    }

    /** Before a step: asks whether fresh rows wait behind those that it takes, unless it is known who appends. */
    void beforeStep(BooleanSupplier freshRows) {
        if (!claimedFreshRows && !appendsHere() && System.nanoTime() - lastAsked >= ANSWER_HOLDS) {
            freshRowsWait = freshRows.getAsBoolean();
            lastAsked = System.nanoTime();
        }
    }

    boolean isDue() {
        return claimedFreshRows || freshRowsWait || appendsHere();
    }

    /** After a transaction that began then. */
    void rest(long began) {
        if (isDue()) {
            LockSupport.parkNanos(this, Math.min(LONGEST, (System.nanoTime() - began) / 2));
        }
    }

    private boolean appendsHere() {
        return System.nanoTime() - lastAppend < BUSY;
    }
}
