package dev.waybill.jdbc;

import java.util.List;

/**
 * How many rows one transaction of a claim locks: about as many as fit into its bytes. The database reads a large payload
 * whole to tell its size, so a claim that locked hundreds of them to take four would read everything again and again.
 */
final class ClaimStepSize {

    private volatile long usualBytes = 1;

    /** At least one row, and no more than are likely to fit. */
    int rows(int most, long bytes) {
        return (int) Math.max(1, Math.min(most, bytes / usualBytes));
    }

    /** Rises at once and falls by half: among large rows and small ones the large ones set the pace. */
    void locked(List<OutboxLockedRow> rows) {
        long average = rows.stream().mapToLong(OutboxLockedRow::bytes).sum() / Math.max(1, rows.size());
        usualBytes = Math.max(1, Math.max(average, usualBytes / 2));
    }
}
