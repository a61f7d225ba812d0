package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.ArchivedRow;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a row as an archive keeps it: every column as the database spells it, and of a binary one its bytes. */
final class SqlArchivedRow {

    /** PostgreSQL spells such a time in the session's time zone, and another session may have another one. */
    private static final String ZONED = "timestamptz";

    /** Written here, because MariaDB's driver writes 7 ms as {@code .7000}. */
    private static final DateTimeFormatter WALL_CLOCK = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .toFormatter(Locale.ROOT);

    private SqlArchivedRow() {}

    /** @param table its name, with or without quotes */
    static ArchivedRow read(String table, ResultSet row) throws SQLException {
        ResultSetMetaData about = row.getMetaData();
        Map<String, @Nullable Object> columns = new LinkedHashMap<>();
        for (int i = 1; i <= about.getColumnCount(); i++) {
            columns.put(about.getColumnLabel(i), value(row, i, about));
        }
        return new ArchivedRow(table.replaceAll("[`\"]", ""), columns);
    }

    /** One column of a row as text; which it is, whatever case the database gives its name. */
    static String text(ArchivedRow row, String column) {
        for (Map.Entry<String, @Nullable Object> entry : row.columns().entrySet()) {
            if (entry.getKey().equalsIgnoreCase(column) && entry.getValue() instanceof String text) {
                return text;
            }
        }
        throw new IllegalStateException("a row of " + row.table() + " has no " + column);
    }

    private static @Nullable Object value(ResultSet row, int column, ResultSetMetaData about) throws SQLException {
        if (isBinary(about.getColumnType(column))) {
            return row.getBytes(column);
        }
        if (about.getColumnTypeName(column).equals(ZONED)) {
            OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
            return time == null ? null : time.toInstant().toString();
        }
        if (about.getColumnType(column) == Types.TIMESTAMP) {
            LocalDateTime time = row.getObject(column, LocalDateTime.class);
            return time == null ? row.getString(column) : WALL_CLOCK.format(time); // a date of zeros is no time
        }
        return row.getString(column);
    }

    private static boolean isBinary(int type) {
        return type == Types.BINARY || type == Types.VARBINARY || type == Types.LONGVARBINARY || type == Types.BLOB;
    }
}
