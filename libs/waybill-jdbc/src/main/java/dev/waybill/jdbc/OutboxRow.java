package dev.waybill.jdbc;

import dev.waybill.message.Event;
import dev.waybill.store.Parcel;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;

/**
 * A row as it was read.
 *
 * @param dueFace what its due time shows; the least number when it has none
 */
record OutboxRow(String key, Event event, int attempts, long version, long dueFace) {

    /** Due order; rows of the same moment by key, which is the order of their making. */
    int compareDue(OutboxRow other) {
        int byDue = Long.compare(dueFace, other.dueFace);
        int byLength = Integer.compare(key.length(), other.key.length()); // numbers as texts
        return byDue != 0 ? byDue : byLength != 0 ? byLength : key.compareTo(other.key);
    }

    Parcel parcel(String fence) {
        return new Parcel(key, event, attempts, fence);
    }

    static OutboxRow read(ResultSet result, OutboxTable table, RowCodec codec) throws SQLException {
        Map<OutboxColumn, String> texts = new EnumMap<>(OutboxColumn.class);
        int attempts = 0;
        long version = 0;
        long due = Long.MIN_VALUE;
        for (OutboxColumn column : table.mapping().columns().keySet()) {
            String label = OutboxTable.label(column);
            switch (column) {
                case SENT_AT, UPDATED_AT, TOKEN, SOURCE, BROKER_ID, STATUS, ERROR -> {}
                case ATTEMPTS -> attempts = result.getInt(label);
                case VERSION -> version = result.getLong(label);
                case DUE -> {
                    long face = result.getLong(label);
                    due = result.wasNull() ? Long.MIN_VALUE : face;
                }
                case OCCURRED_AT, CREATED_AT -> {
                    long micros = result.getLong(label);
                    if (!result.wasNull()) {
                        texts.put(column, SqlTimes.instantOf(micros).toString());
                    }
                }
                default -> {
                    String text = result.getString(label);
                    if (text != null) {
                        texts.put(column, text);
                    }
                }
            }
        }
        String key = texts.getOrDefault(table.mapping().key(), "");
        return new OutboxRow(key, codec.decode(texts), attempts, version, due);
    }
}
