package dev.waybill.store;

import java.time.Duration;

/**
 * How a relay holds rows.
 *
 * @param token names the relay, unique to its run; at most 32 letters, digits and dashes
 * @param lease how long the rows stay its own, counted by the database from the statement on
 */
public record Hold(String token, Duration lease) {

    public Hold {
        if (!token.matches("[A-Za-z0-9-]{1,32}")) {
            throw new IllegalArgumentException("a hold's token is 1 to 32 letters, digits or dashes: " + token);
        }
        if (lease.compareTo(Duration.ofSeconds(1)) < 0) {
            // tables with whole-second times cannot tell shorter leases apart
            throw new IllegalArgumentException("a lease lasts at least a second, was " + lease);
        }
    }
}
