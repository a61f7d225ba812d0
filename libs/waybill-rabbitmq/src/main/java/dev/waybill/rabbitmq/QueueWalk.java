package dev.waybill.rabbitmq;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A walk through a dead-letter queue in which more letters than can be held are nobody's here: those in hand go to its end, and
 * others come, until each was in hand once. While the hand is full, the broker's count of the others is exact, and so is what
 * came since the last walk: more of them than then. One thread's.
 */
final class QueueWalk {

    private static final Logger log = LoggerFactory.getLogger(QueueWalk.class);

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Others may take as many as come, which leaves the count as it is: now and then a walk is due all the same. */
    private static final long WALK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final String queue;
    private final Republisher republisher;
    private final TimeShare time;
    private long left;
    private long known;
    private long lookAfter = System.nanoTime();
    private long walkAgainAfter = System.nanoTime();

    QueueWalk(String queue, Republisher republisher, TimeShare time) {
        this.queue = queue;
        this.republisher = republisher;
        this.time = time;
    }

    /** Whether to move on. To be asked while the hand is full. */
    boolean goesOn(int held) {
        if (left > 0) {
            return true;
        }
        long now = System.nanoTime();
        if (now - lookAfter < 0) {
            return false;
        }
        lookAfter = now + LOOK_NANOS;
        long ready = republisher.ready(queue);
        boolean grown = ready > known && time.isLeft();
        boolean due = now - walkAgainAfter >= 0 && time.isUnspent();
        if (ready <= 0 || !(grown || due)) {
            known = Math.min(known, Math.max(0, ready));
            return false;
        }
        log.warn(
                "[DeadLetters] [ALERT] Letters that nobody here can save are in front of others, moved to the end dlq={}"
                        + " held={} behind={}",
                queue,
                held,
                ready);
        known = ready;
        left = ready + held;
        return true;
    }

    void passed(int letters) {
        left -= letters;
        walkAgainAfter = System.nanoTime() + WALK_AGAIN_NANOS;
    }
}
