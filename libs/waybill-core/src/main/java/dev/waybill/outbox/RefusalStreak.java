package dev.waybill.outbox;

import dev.waybill.transport.SendFailure;
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

    private final Set<String> rows = new HashSet<>();
    private int failures;

    /** Whether the topic counts as down from now on. */
    boolean grewTooLong(String row, SendFailure failure) {
        failures++;
        if (rows.size() < DIFFERENT_EVENTS) {
            rows.add(row);
        }
        int longest = failure == SendFailure.TIMED_OUT ? TIME_OUTS : REFUSALS;
        return failures >= longest && rows.size() >= DIFFERENT_EVENTS;
    }
}
