package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;

/**
 * Lets a connection give up on a database that has fallen silent. Without it a thread whose server is frozen or cut off waits
 * for its answer for ever: after a stop too, and when another server has taken over long ago.
 */
final class SqlAnswerLimit {

    private static final int UNCHANGED = -1;
    private static final int MOST_PATIENCE = 16;

    private final Duration shortest;
    private volatile int millis;
    private volatile int patience = 1;
    private volatile boolean unsupported;

    SqlAnswerLimit(Duration shortest) {
        this.shortest = shortest;
        followLease(Duration.ZERO);
    }

    /** What is answered two leases later is about claims that are over. */
    void followLease(Duration lease) {
        Duration twice = lease.multipliedBy(2);
        millis = (int) Math.min(Integer.MAX_VALUE, Math.max(shortest.toMillis(), twice.toMillis()));
    }

    /** A statement that needs longer than this would never succeed: each that was given up gives the next more time. */
    synchronized void ended(boolean answered, long tookMillis) {
        if (answered) {
            patience = 1;
        } else if (tookMillis >= millis) {
            patience = Math.min(MOST_PATIENCE, 2 * patience);
        }
    }

    private int limit() {
        return (int) Math.min(Integer.MAX_VALUE, (long) millis * patience);
    }

    /** Limits a connection unless it has a shorter limit of its own; returns what {@link #end} needs. */
    int begin(Connection connection) throws SQLException {
        if (unsupported) {
            return UNCHANGED;
        }
        try {
            int before = connection.getNetworkTimeout();
            int limit = limit();
            if (before > 0 && before <= limit) {
                return UNCHANGED;
            }
            connection.setNetworkTimeout(Runnable::run, limit);
            return before;
        } catch (SQLFeatureNotSupportedException e) {
            unsupported = true;
            return UNCHANGED;
        }
    }

    /** Business code finds its connection as it was. */
    void end(Connection connection, int before) throws SQLException {
        if (before != UNCHANGED) {
            connection.setNetworkTimeout(Runnable::run, before);
        }
    }
}
