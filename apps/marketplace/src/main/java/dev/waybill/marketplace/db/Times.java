package dev.waybill.marketplace.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Times are stored in UTC, in columns without a zone, so that neither the driver's nor the server's zone changes them. */
final class Times {

    private Times() {}

    static LocalDateTime column(Instant time) {
        return LocalDateTime.ofInstant(time, ZoneOffset.UTC);
    }

    static Instant read(ResultSet row, String column) throws SQLException {
        return instant(row.getObject(column, LocalDateTime.class));
    }

    static @Nullable Instant readIfThere(ResultSet row, String column) throws SQLException {
        LocalDateTime time = row.getObject(column, LocalDateTime.class);
        return time == null ? null : instant(time);
    }

    private static Instant instant(LocalDateTime time) {
        return time.toInstant(ZoneOffset.UTC);
    }
}
