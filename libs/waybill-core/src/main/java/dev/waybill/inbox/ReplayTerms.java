package dev.waybill.inbox;

import dev.waybill.store.OutboxStore.Decision;

/**
 * Who replays, why, how fast, and what.
 *
 * @param decision for the audit
 * @param perSecond letters sent in a second at most
 * @param evenForgotten whether letters older than the inbox's memory go too
 */
public record ReplayTerms(Decision decision, int perSecond, boolean evenForgotten) {

    private static final int DEFAULT_RATE = 50;

    public ReplayTerms {
        if (perSecond < 1 || perSecond > 100_000) {
            throw new IllegalArgumentException("a replay sends 1 to 100000 letters a second, was " + perSecond);
        }
    }

    /** Fifty a second, nothing that the inbox may have forgotten. */
    public static ReplayTerms by(String actor, String reason) {
        return new ReplayTerms(new Decision(actor, reason), DEFAULT_RATE, false);
    }

    public ReplayTerms atMost(int perSecond) {
        return new ReplayTerms(decision, perSecond, evenForgotten);
    }

    /** The explicit yes to letters so old that their events may have taken effect without anybody remembering. */
    public ReplayTerms withForgotten() {
        return new ReplayTerms(decision, perSecond, true);
    }
}
