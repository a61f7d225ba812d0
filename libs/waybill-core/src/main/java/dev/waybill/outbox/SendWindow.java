package dev.waybill.outbox;

import java.time.Duration;
import java.util.function.IntSupplier;

/**
 * How many messages may be without an answer: twice as many after each window's worth of prompt answers until the broker
 * first objects, a few more each time from then on; half as many when the broker pushes back, or when for a moment all of
 * its answers are much slower than they were lately.
 */
final class SendWindow {

    private static final int GROWTH = 32;

    /**
     * A sender that waits on a full window is woken when a quarter of it is free. Answers come one by one; waking for each
     * would send batches of one.
     */
    private static final int WORTHWHILE = 4;

    private static final long MOMENT = Duration.ofMillis(100).toNanos();
    private static final long TOLERATED = Duration.ofMillis(100).toNanos();
    private static final int TOLERATED_TIMES = 4;
    /** A link that stays slow for this long is what it is: its latency becomes the new measure. */
    private static final long MEMORY = Duration.ofSeconds(30).toNanos();

    private final int min;
    private final int max;
    private final IntSupplier keptBySilentTopics;
    private int limit;
    private int inFlight;
    /** Places that a sender waits for; zero when none waits. */
    private int awaited;

    private int answered;
    private boolean objected;
    private boolean full;
    private long lastCut;
    private boolean cutBefore;
    private long best = Long.MAX_VALUE;
    private long bestOfLast = Long.MAX_VALUE;
    private long epoch;
    private boolean started;
    private long fastest = Long.MAX_VALUE;
    private long momentBegan;

    /** @param keptBySilentTopics messages that take no place from others; {@link RepeatBudget} bounds them all together */
    SendWindow(int min, int max, IntSupplier keptBySilentTopics) {
        this.min = min;
        this.max = max;
        this.keptBySilentTopics = keptBySilentTopics;
        this.limit = Math.min(max, Math.max(min, 64));
    }

    /** Takes up to this many places; when there is none, waits a moment for enough of them to make a batch. */
    synchronized int take(int wanted, Duration patience) throws InterruptedException {
        if (free() <= 0) {
            await(Math.min(wanted, Math.max(1, limit / WORTHWHILE)), patience);
        }
        int taken = Math.max(0, Math.min(wanted, free()));
        full = taken < wanted;
        inFlight += taken;
        return taken;
    }

    private void await(int places, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        awaited = places;
        for (long left = patience.toMillis();
                free() < places && left > 0;
                left = (end - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
        awaited = 0;
    }

    synchronized void giveBack(int places) {
        inFlight -= places;
        if (awaited > 0 && free() >= awaited) {
            notifyAll();
        }
    }

    synchronized void confirmed(long latency, long now) {
        giveBack(1);
        remember(latency, now);
        fastest = Math.min(fastest, latency);
        if (now - momentBegan >= MOMENT) {
            // a pause of this process slows some answers, a broker or network in trouble slows them all
            boolean allSlow = fastest > Math.min(best, bestOfLast) * TOLERATED_TIMES + TOLERATED;
            fastest = Long.MAX_VALUE;
            momentBegan = now;
            if (allSlow) {
                cut(now);
                return;
            }
        }
        if (full && ++answered >= limit) {
            answered = 0;
            limit = Math.min(max, objected ? limit + GROWTH : limit * 2);
        }
    }

    synchronized void pushedBack(long now) {
        cut(now);
    }

    /** After an outage: small again, and what was measured before no longer counts. */
    synchronized void restart() {
        limit = min;
        answered = 0;
        started = false;
        objected = false;
    }

    /** The destination that objected is back after an outage: its objections say nothing about how much it takes now. */
    synchronized void recovered() {
        objected = false;
    }

    synchronized boolean isFull() {
        return free() <= 0;
    }

    synchronized int limit() {
        return limit;
    }

    synchronized int inFlight() {
        return inFlight;
    }

    private int free() {
        return limit - inFlight + keptBySilentTopics.getAsInt();
    }

    private void cut(long now) {
        if (cutBefore && now - lastCut < MOMENT) {
            return; // the answers of one slow moment arrive together and count once
        }
        cutBefore = true;
        objected = true;
        lastCut = now;
        answered = 0;
        limit = Math.max(min, limit / 2);
    }

    private void remember(long latency, long now) {
        if (!started || now - epoch > MEMORY) {
            bestOfLast = started ? best : Long.MAX_VALUE;
            best = Long.MAX_VALUE;
            epoch = now;
            started = true;
        }
        best = Math.min(best, latency);
    }
}
