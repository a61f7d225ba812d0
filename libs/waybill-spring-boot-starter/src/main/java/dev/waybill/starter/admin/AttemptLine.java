package dev.waybill.starter.admin;

import dev.waybill.store.FailedAttempt;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A send that failed.
 *
 * @param node which process sent it
 * @param tookMillis from the send to the broker's answer; null where nothing was sent
 */
record AttemptLine(
        int attempt,
        Instant failedAt,
        @Nullable String node,
        @Nullable Long tookMillis,
        @Nullable String error) {

    static AttemptLine of(FailedAttempt attempt) {
        Duration took = attempt.took();
        return new AttemptLine(
                attempt.attempt(),
                attempt.failedAt(),
                attempt.node(),
                took == null ? null : took.toMillis(),
                attempt.error());
    }
}
