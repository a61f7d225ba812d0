package dev.waybill.order.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Times are stored in UTC, in columns without a zone, so that neither the driver's nor the server's zone changes them. */
final class Times {

    private Times() {}

    static LocalDateTime column(Instant time) {
        return LocalDateTime.ofInstant(time, ZoneOffset.UTC);
    }

    static Instant read(ResultSet row, String column) throws SQLException {
        return row.getObject(column, LocalDateTime.class).toInstant(ZoneOffset.UTC);
    }
}
