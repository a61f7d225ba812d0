package dev.waybill.inbox;

import dev.waybill.store.OperatorDecision;

/**
 * Who replays, why, how fast, and what.
 *
 * @param decision for the audit
 * @param perSecond letters sent in a second at most
 * @param evenForgotten whether letters older than the inbox's memory go too
 */
public record ReplayRequest(OperatorDecision decision, int perSecond, boolean evenForgotten) {

    private static final int DEFAULT_RATE = 50;

    public ReplayRequest {
        if (perSecond < 1 || perSecond > 100_000) {
            throw new IllegalArgumentException("a replay sends 1 to 100000 letters a second, was " + perSecond);
        }
    }

    /** Fifty a second, nothing that the inbox may have forgotten. */
    public static ReplayRequest by(String actor, String reason) {
        return new ReplayRequest(new OperatorDecision(actor, reason), DEFAULT_RATE, false);
    }

    public ReplayRequest atMost(int perSecond) {
        return new ReplayRequest(decision, perSecond, evenForgotten);
    }

    /** The explicit yes to letters so old that their events may have taken effect without anybody remembering. */
    public ReplayRequest withForgotten() {
        return new ReplayRequest(decision, perSecond, true);
    }
}
