package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * What the database's clock shows, estimated without asking it: every round trip that brings its time sets the estimate
 * anew. An append can so write a due time that it knows without reading it back.
 */
final class SqlDatabaseClock {

    private static final String ASK = "SELECT {clock}";

    /** Older estimates may have missed a clock change. */
    private static final long GOOD_FOR_NANOS = 60_000_000_000L;

    private record Reading(long faceMicros, long nanos) {}

    private volatile Reading last = new Reading(Long.MIN_VALUE, 0);

    /** The database said this between these two moments. */
    void observe(long faceMicros, long askedNanos, long answeredNanos) {
        last = new Reading(faceMicros, askedNanos + (answeredNanos - askedNanos) / 2);
    }

    /** The face now, unless nothing recent is known. */
    OptionalLong faceMicros() {
        Reading reading = last;
        long age = System.nanoTime() - reading.nanos();
        return reading.faceMicros() == Long.MIN_VALUE || age > GOOD_FOR_NANOS
                ? OptionalLong.empty()
                : OptionalLong.of(reading.faceMicros() + age / 1_000);
    }

    /** The face now; asked for over this connection when nothing recent is known. */
    long faceMicros(Connection connection, OutboxTable table) throws SQLException {
        OptionalLong known = faceMicros();
        if (known.isPresent()) {
            return known.getAsLong();
        }
        if (table.dialect() == Dialect.H2) {
            return SqlTimes.micros(Instant.now()); // its own clock stands still inside a transaction
        }
        long asked = System.nanoTime();
        long face = new SqlCall(table.sql(ASK))
                .query(connection, row -> row.getLong(1))
                .get(0);
        observe(face, asked, System.nanoTime());
        return face;
    }
}
