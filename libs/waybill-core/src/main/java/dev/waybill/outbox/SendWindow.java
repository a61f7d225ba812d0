package dev.waybill.outbox;

import java.time.Duration;

/**
 * How many messages may be without an answer: one more for each window's worth of prompt answers, half as many when the
 * broker pushes back, or when for a moment all of its answers are much slower than they were lately.
 */
final class SendWindow {

    private static final int GROWTH = 8;
    private static final long MOMENT = Duration.ofMillis(100).toNanos();
    private static final long TOLERATED = Duration.ofMillis(50).toNanos();
    private static final int TOLERATED_TIMES = 4;
    /** A link that stays slow for this long is what it is: its latency becomes the new measure. */
    private static final long MEMORY = Duration.ofSeconds(30).toNanos();

    private final int min;
    private final int max;
    private int limit;
    private int inFlight;
    private int answered;
    private boolean full;
    private long lastCut;
    private boolean cutBefore;
    private long best = Long.MAX_VALUE;
    private long bestOfLast = Long.MAX_VALUE;
    private long epoch;
    private boolean started;
    private long fastest = Long.MAX_VALUE;
    private long momentBegan;

    SendWindow(int min, int max) {
        this.min = min;
        this.max = max;
        this.limit = Math.min(max, Math.max(min, 64));
    }

    /** Takes up to this many places; waits a moment when there is none. */
    synchronized int take(int wanted, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        for (long left = patience.toMillis();
                inFlight >= limit && left > 0;
                left = (end - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
        int taken = Math.max(0, Math.min(wanted, limit - inFlight));
        full = taken < wanted;
        inFlight += taken;
        return taken;
    }

    synchronized void giveBack(int places) {
        inFlight -= places;
        notifyAll();
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
            limit = Math.min(max, limit + GROWTH);
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
    }

    synchronized int limit() {
        return limit;
    }

    synchronized int inFlight() {
        return inFlight;
    }

    private void cut(long now) {
        if (cutBefore && now - lastCut < MOMENT) {
            return; // the answers of one slow moment arrive together and count once
        }
        cutBefore = true;
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
