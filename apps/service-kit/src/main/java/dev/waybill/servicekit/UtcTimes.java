package dev.waybill.servicekit;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Times in columns that have no zone: always UTC, whatever the zones of the process, the session and the server.
 *
 * <p>Milliseconds, cut here: MySQL would round what does not fit into {@code DATETIME(3)}, MariaDB would cut it.
 */
public final class UtcTimes {

    private UtcTimes() {}

    /** What is bound to a column. */
    public static LocalDateTime column(Instant time) {
        return LocalDateTime.ofInstant(time.truncatedTo(ChronoUnit.MILLIS), ZoneOffset.UTC);
    }

    /** The time in a column that is never null. */
    public static Instant read(ResultSet row, String column) throws SQLException {
        Instant time = readIfThere(row, column);
        if (time == null) {
            throw new SQLException("column " + column + " holds no time");
        }
        return time;
    }

    /** The time in a column that may be null. */
    public static @Nullable Instant readIfThere(ResultSet row, String column) throws SQLException {
        LocalDateTime time = row.getObject(column, LocalDateTime.class);
        return time == null ? null : time.toInstant(ZoneOffset.UTC);
    }
}
