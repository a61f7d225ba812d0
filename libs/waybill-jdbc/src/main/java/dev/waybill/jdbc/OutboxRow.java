package dev.waybill.jdbc;

import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.UnreadableRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;

/**
 * A row as it was read.
 *
 * @param dueMicros its due time as a wall clock; the least number when it has none
 */
record OutboxRow(String key, OutboxRowContent content, int attempts, long version, long dueMicros) {

    int compareDue(OutboxRow other) {
        return compareDue(dueMicros, key, other.dueMicros, other.key);
    }

    /** Due order; rows of the same moment by key, which is the order of their making. */
    static int compareDue(long due, String key, long otherDue, String otherKey) {
        int byDue = Long.compare(due, otherDue);
        int byLength = Integer.compare(key.length(), otherKey.length()); // numbers as texts
        return byDue != 0 ? byDue : byLength != 0 ? byLength : key.compareTo(otherKey);
    }

    String eventId() {
        return content.eventId();
    }

    ClaimedRow claimed(String fence) {
        if (content instanceof OutboxRowContent.Unreadable unreadable) {
            return new UnreadableRow(key, unreadable.eventId(), attempts, fence, unreadable.reason());
        }
        return new ClaimedEvent(key, ((OutboxRowContent.EventRow) content).event(), attempts, fence);
    }

    /**
     * Reads the columns of {@link OutboxTable#rowColumns}, by place: looking labels up costs more than reading.
     *
     * @param first the place of the first of them
     */
    static OutboxRow read(ResultSet result, int first, OutboxTable table, OutboxRowCodec codec) throws SQLException {
        Map<OutboxColumn, String> texts = new EnumMap<>(OutboxColumn.class);
        int attempts = 0;
        long version = 0;
        long due = Long.MIN_VALUE;
        int place = first;
        for (OutboxColumn column : table.rowColumns()) {
            switch (column) {
                case ATTEMPTS -> attempts = result.getInt(place);
                case VERSION -> version = result.getLong(place);
                case DUE -> {
                    long wallClock = result.getLong(place);
                    due = result.wasNull() ? Long.MIN_VALUE : wallClock;
                }
                default -> {
                    String text = result.getString(place);
                    if (text != null) {
                        texts.put(column, text);
                    }
                }
            }
            place++;
        }
        String key = texts.getOrDefault(table.mapping().key(), "");
        return new OutboxRow(key, codec.decode(texts), attempts, version, due);
    }
}
