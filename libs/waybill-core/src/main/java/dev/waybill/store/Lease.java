package dev.waybill.store;

import java.time.Duration;

/**
 * A relay's claim on rows: whose they are, and for how long.
 *
 * @param token names the relay, unique to its run; at most 32 letters, digits and dashes
 * @param duration how long the rows stay its own, counted by the database from the statement on
 */
public record Lease(String token, Duration duration) {

    public Lease {
        if (!token.matches("[A-Za-z0-9-]{1,32}")) {
            throw new IllegalArgumentException("a lease's token is 1 to 32 letters, digits or dashes: " + token);
        }
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            // tables with whole-second times cannot tell shorter leases apart
            throw new IllegalArgumentException("a lease lasts at least a second, was " + duration);
        }
    }
}
