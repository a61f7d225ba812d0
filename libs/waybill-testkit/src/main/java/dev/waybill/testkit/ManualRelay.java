package dev.waybill.testkit;

import dev.waybill.outbox.Relay;
import java.time.Duration;

/**
 * A relay that works only when the test says so, on the test's own thread: after {@link #sendDue()} the rows are settled
 * and a test can look, without waiting and without a race.
 */
public final class ManualRelay {

    private static final int MOST_ROUNDS = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Relay relay;

    /** Takes a relay that is built but not started. */
    public ManualRelay(Relay relay) {
        this.relay = relay;
    }

    /**
     * One round: claims a batch of what is due, sends it, settles it.
     *
     * @return how many rows were taken
     */
    public int sendBatch() {
        return relay.runOnce(PATIENCE);
    }

    /**
     * Rounds until nothing is due any more.
     *
     * @return how many rows were taken in all
     */
    public int sendDue() {
        int all = 0;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            int taken = sendBatch();
            if (taken == 0) {
                return all;
            }
            all += taken;
        }
        throw new AssertionError("rows are still due after " + MOST_ROUNDS + " rounds: something makes them due again");
    }
}
