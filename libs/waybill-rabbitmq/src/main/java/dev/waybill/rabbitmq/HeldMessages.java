package dev.waybill.rabbitmq;

import dev.waybill.message.HandlerResult;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Messages that could not be settled yet. They stay unacknowledged and are tried again here, after growing pauses: a quorum
 * queue counts what is given back, and drops it in the end. The prefetch bounds how many they are.
 */
final class HeldMessages {

    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 5_000;

    /** A message, how often it was tried in vain, and its result, if it has one. */
    record Held(UnackedMessage message, @Nullable HandlerResult result, int tries, long due) implements Delayed {

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    private final DelayQueue<Held> held = new DelayQueue<>();

    void hold(UnackedMessage message, @Nullable HandlerResult result, int tries) {
        held.add(new Held(message, result, tries, System.nanoTime() + pauseNanos(tries)));
    }

    /** One whose pause is over, or null. */
    @Nullable Held takeDue() {
        Held due = held.poll();
        while (due != null && due.message.stale()) {
            due = held.poll();
        }
        return due;
    }

    static long pauseNanos(int tries) {
        long pause = FIRST_PAUSE_MILLIS << Math.min(Math.max(tries - 1, 0), 10);
        return TimeUnit.MILLISECONDS.toNanos(Math.min(pause, LONGEST_PAUSE_MILLIS));
    }
}
