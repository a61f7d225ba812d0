package dev.waybill.marketplace.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A buyer's credit, recomputed from the cancelled orders with every cancel.
 *
 * @param cancelledOrders all that were cancelled, timed out or not
 * @param timeoutOrders those that were not paid in time
 * @param score 100 less 5 for every cancelled and 5 more for every timed-out order, never below 0
 * @param recomputed how often it was computed
 * @param updateTime null for a buyer who never ordered
 */
public record Credit(
        long buyerId,
        int cancelledOrders,
        int timeoutOrders,
        int score,
        int recomputed,
        @Nullable Instant updateTime) {

    private static final int FULL = 100;
    private static final int STEP = 5;

    /** The credit of a buyer who never ordered. */
    public static Credit fresh(long buyerId) {
        return new Credit(buyerId, 0, 0, FULL, 0, null);
    }

    public static int score(int cancelled, int timedOut) {
        return Math.max(0, FULL - STEP * (cancelled + timedOut));
    }
}
