package dev.waybill.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row that a claim has locked and may take.
 *
 * @param bytes what its payload takes
 * @param row null when the payload is large: it is read once it is certain that the row is taken
 */
record OutboxLockedRow(
        String key, long dueMicros, long bytes, @Nullable OutboxRow row) {

    /** Payloads up to this size come with the lock; a claim of 500 rows holds 32 MB of them at most. */
    static final int SMALL = 64 * 1024;

    /** Reads the payload's size and then the row's columns, from this place on. */
    static OutboxLockedRow read(ResultSet result, int first, OutboxTable table, OutboxRowCodec codec)
            throws SQLException {
        long bytes = result.getLong(first);
        if (bytes <= SMALL) {
            OutboxRow row = OutboxRow.read(result, first + 1, table, codec);
            return new OutboxLockedRow(row.key(), row.dueMicros(), bytes, row);
        }
        String key = result.getString(
                first + 1 + table.rowColumns().indexOf(table.mapping().key()));
        long due = result.getLong(first + 1 + table.rowColumns().indexOf(OutboxColumn.DUE));
        return new OutboxLockedRow(key, result.wasNull() ? Long.MIN_VALUE : due, bytes, null);
    }

    int compareDue(OutboxLockedRow other) {
        return OutboxRow.compareDue(dueMicros, key, other.dueMicros, other.key);
    }

    /** The rows that fit, in their order: the first however large it is, the others while all together fit. */
    static List<OutboxLockedRow> thatFit(List<OutboxLockedRow> rows, long bytes) {
        List<OutboxLockedRow> fit = new ArrayList<>();
        long sum = 0;
        for (OutboxLockedRow row : rows) {
            sum += row.bytes();
            if (sum > bytes && !fit.isEmpty()) {
                return fit;
            }
            fit.add(row);
        }
        return fit;
    }
}
