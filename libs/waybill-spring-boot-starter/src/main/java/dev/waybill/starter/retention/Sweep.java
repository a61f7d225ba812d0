package dev.waybill.starter.retention;

import java.time.Duration;

/**
 * One kind of rows and the age at which they are deleted.
 *
 * @param rows what they are, for the log
 */
record Sweep(String rows, Duration olderThan, Duration interval, Deletion deletion) {

    /** Deletes rows of such an age, at most so many, and tells how many there were. */
    @FunctionalInterface
    interface Deletion {
        int delete(Duration olderThan, int limit);
    }

    int delete(int limit) {
        return deletion.delete(olderThan, limit);
    }
}
