package dev.waybill.store;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A send that failed.
 *
 * @param attempt counts from 1 for each event, and again after a requeue
 * @param node which process sent it
 * @param took from the send to the broker's answer or the time-out; null where nothing was sent
 */
public record FailedAttempt(
        String eventId,
        int attempt,
        @Nullable String error,
        Instant failedAt,
        @Nullable String node,
        @Nullable Duration took) {}
