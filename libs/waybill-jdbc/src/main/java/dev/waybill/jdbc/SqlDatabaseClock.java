package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * Estimates what the database's clock shows without asking it. Every statement that returns the database's time sets the
 * estimate anew. An append that is fenced by its due time computes that time from it and need not read it back.
 */
final class SqlDatabaseClock {

    private static final String ASK = "SELECT {clock}";

    /** After this time an estimate is not used any more, because the clock may have been set since. */
    private static final long GOOD_FOR_NANOS = 60_000_000_000L;

    private record Reading(long wallClockMicros, long nanos) {}

    private volatile Reading last = new Reading(Long.MIN_VALUE, 0);

    /** The database said this between these two moments. */
    void observe(long wallClockMicros, long askedNanos, long answeredNanos) {
        last = new Reading(wallClockMicros, askedNanos + (answeredNanos - askedNanos) / 2);
    }

    /** The wall clock now, unless no recent time of the database is known. */
    OptionalLong wallClockMicros() {
        Reading reading = last;
        long age = System.nanoTime() - reading.nanos();
        return reading.wallClockMicros() == Long.MIN_VALUE || age > GOOD_FOR_NANOS
                ? OptionalLong.empty()
                : OptionalLong.of(reading.wallClockMicros() + age / 1_000);
    }

    /** The wall clock now; asked for over this connection when no recent time is known. */
    long wallClockMicros(Connection connection, OutboxTable table) throws SQLException {
        OptionalLong known = wallClockMicros();
        if (known.isPresent()) {
            return known.getAsLong();
        }
        if (table.dialect() == Dialect.H2) {
            return SqlTimes.micros(Instant.now()); // its own clock stands still inside a transaction
        }
        long asked = System.nanoTime();
        long wallClock = new SqlCall(table.sql(ASK))
                .query(connection, row -> row.getLong(1))
                .get(0);
        observe(wallClock, asked, System.nanoTime());
        return wallClock;
    }
}
