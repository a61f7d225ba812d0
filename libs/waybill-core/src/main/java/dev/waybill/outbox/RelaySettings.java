package dev.waybill.outbox;

import java.time.Duration;

/**
 * How a relay works. {@link #defaults()} suits most; each {@code with…} changes one thing.
 *
 * @param batch rows taken by a claim; grows tenfold by itself while there is a backlog
 * @param pollInterval pause between claims that found little: the safety net behind the hand-off
 * @param lease how long rows stay with a relay that does not renew them, hence how soon others take over after a crash
 * @param handoffCapacity events that may wait between commit and send; beyond it rows are simply due
 * @param minWindow least number of unconfirmed messages, also where it starts after an outage
 * @param maxWindow largest number of unconfirmed messages
 * @param settleBatch settlements written by one statement at most
 * @param settleLinger how long the first settlement of a batch waits for more, twice as long while many come
 * @param maxBytes bytes of events that may be in memory from claim or hand-off to settlement, half for each of these two
 *     ways; beyond it rows wait in the table. An event takes up to three times its own size on the way to the broker.
 */
public record RelaySettings(
        int batch,
        Duration pollInterval,
        Duration lease,
        int handoffCapacity,
        int minWindow,
        int maxWindow,
        int settleBatch,
        Duration settleLinger,
        long maxBytes) {

    private static final long LARGEST_DEFAULT = 64L << 20;
    private static final int SHARE_OF_HEAP = 16;

    public RelaySettings {
        require(batch >= 1 && batch <= 1000, "batch is 1 to 1000", batch);
        require(pollInterval.toMillis() >= 10, "pollInterval is at least 10 ms", pollInterval);
        require(lease.toMillis() >= 1000, "lease is at least 1 s", lease);
        require(handoffCapacity >= 0, "handoffCapacity is not negative", handoffCapacity);
        require(minWindow >= 1 && maxWindow >= minWindow, "1 <= minWindow <= maxWindow", minWindow + ".." + maxWindow);
        require(settleBatch >= 1 && settleBatch <= 2000, "settleBatch is 1 to 2000", settleBatch);
        require(
                settleLinger.multipliedBy(10).compareTo(lease) <= 0,
                "settleLinger is at most a tenth of the lease",
                settleLinger);
        require(maxBytes >= 1 << 20, "maxBytes is at least 1 MiB", maxBytes);
    }

    /** The bytes are a sixteenth of the heap, 64 MiB at most. */
    public static RelaySettings defaults() {
        long share = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
        long maxBytes = Math.max(1 << 20, Math.min(LARGEST_DEFAULT, share));
        return new RelaySettings(
                100,
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                4096,
                16,
                1024,
                1000,
                Duration.ofMillis(100),
                maxBytes);
    }

    public RelaySettings withBatch(int batch) {
        return new RelaySettings(
                batch, pollInterval, lease, handoffCapacity, minWindow, maxWindow, settleBatch, settleLinger, maxBytes);
    }

    public RelaySettings withPollInterval(Duration pollInterval) {
        return new RelaySettings(
                batch, pollInterval, lease, handoffCapacity, minWindow, maxWindow, settleBatch, settleLinger, maxBytes);
    }

    public RelaySettings withLease(Duration lease) {
        return new RelaySettings(
                batch, pollInterval, lease, handoffCapacity, minWindow, maxWindow, settleBatch, settleLinger, maxBytes);
    }

    /** Zero switches the hand-off off: every event is claimed from the table. */
    public RelaySettings withHandoffCapacity(int handoffCapacity) {
        return new RelaySettings(
                batch, pollInterval, lease, handoffCapacity, minWindow, maxWindow, settleBatch, settleLinger, maxBytes);
    }

    public RelaySettings withWindow(int minWindow, int maxWindow) {
        return new RelaySettings(
                batch, pollInterval, lease, handoffCapacity, minWindow, maxWindow, settleBatch, settleLinger, maxBytes);
    }

    public RelaySettings withSettling(int settleBatch, Duration settleLinger) {
        return new RelaySettings(
                batch, pollInterval, lease, handoffCapacity, minWindow, maxWindow, settleBatch, settleLinger, maxBytes);
    }

    public RelaySettings withMaxBytes(long maxBytes) {
        return new RelaySettings(
                batch, pollInterval, lease, handoffCapacity, minWindow, maxWindow, settleBatch, settleLinger, maxBytes);
    }

    private static void require(boolean holds, String rule, Object value) {
        if (!holds) {
            throw new IllegalArgumentException("relay settings: " + rule + ", was " + value);
        }
    }
}
