package dev.waybill.retry;

import java.time.Duration;
import java.util.Optional;

/** Says how long to wait before the next send. */
public sealed interface RetryPolicy permits ExponentialBackoff, FixedSchedule {

    /**
     * How long to wait after a failed send.
     *
     * @param failures sends that failed so far, from 1
     * @return the wait before the next send; empty gives up
     */
    Optional<Duration> delayAfter(int failures);

    /** How many sends there are at most. */
    int maxSends();
}
