package dev.waybill.lifecycle;

import java.time.Duration;

/**
 * Says when a trouble that lasts is worth another line in the log: at once, after ten seconds, and then ever more rarely, but
 * at least every five minutes. So it can neither be overlooked nor fill a disk.
 */
public final class WarningThrottle {

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

    private boolean told;
    private long next;
    private Duration pause = FIRST_PAUSE;

    /** Whether to tell of it now, by a monotonic clock in nanoseconds. */
    public synchronized boolean isDue(long now) {
        if (told && now - next < 0) {
            return false;
        }
        told = true;
        next = now + pause.toNanos();
        Duration longer = pause.multipliedBy(2);
        pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
        return true;
    }

    /** The trouble is over, and the next one is told of at once. Whether this one had been told of. */
    public synchronized boolean end() {
        boolean wasTold = told;
        told = false;
        pause = FIRST_PAUSE;
        return wasTold;
    }
}
