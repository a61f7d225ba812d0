package dev.waybill.outbox;

import dev.waybill.transport.SendFailure;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Sends to one topic that failed in a row, with none confirmed between them. One event's failure is its own, so retries of
 * a few bad events never make a topic count as down; twenty refusals of five events and more do. By then a topic at full
 * load has lost a few milliseconds, and a quiet one has not spent an event's last attempt.
 */
final class RefusalStreak {

    private static final int REFUSALS = 20;

    /** A time-out says more than a refusal: nothing at all came back for seconds. */
    private static final int TIME_OUTS = 8;

    private static final int DIFFERENT_EVENTS = 5;

    /** Refusals may overtake confirms: those of messages that were sent before get so long to arrive. */
    private static final long CONFIRM_NANOS = Duration.ofMillis(250).toNanos();

    private final Set<String> rows = new HashSet<>();
    private final long began;
    private int failures;
    private boolean grewLong;

    RefusalStreak(long now) {
        this.began = now;
    }

    /** Whether there are more failures already than a topic that takes messages would answer with. */
    boolean isLong() {
        return grewLong;
    }

    /** Whether the topic counts as down from now on. */
    boolean provesOutage(String row, SendFailure failure, long now) {
        failures++;
        if (rows.size() < DIFFERENT_EVENTS) {
            rows.add(row);
        }
        boolean timedOut = failure == SendFailure.TIMED_OUT;
        grewLong |= failures >= (timedOut ? TIME_OUTS : REFUSALS) && rows.size() >= DIFFERENT_EVENTS;
        return grewLong && (timedOut || now - began >= CONFIRM_NANOS);
    }
}
