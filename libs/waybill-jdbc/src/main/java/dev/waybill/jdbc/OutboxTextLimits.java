package dev.waybill.jdbc;

import dev.waybill.message.Event;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Refuses texts that are too long for their columns. MySQL and MariaDB cut them off without an error where the session's
 * {@code sql_mode} is not strict, and half an event would be sent.
 */
final class OutboxTextLimits {

    private final OutboxTable table;
    private volatile Map<OutboxColumn, SqlColumnText.Limit> limits;

    OutboxTextLimits(OutboxTable table) {
        this.table = table;
        this.limits = read(table.shape());
    }

    /** @throws StoreException VALUE when a column cannot hold its text */
    void check(Connection connection, Event event, Map<OutboxColumn, String> row) throws SQLException {
        for (Map.Entry<OutboxColumn, String> cell : row.entrySet()) {
            if (holds(cell.getKey(), cell.getValue())) {
                continue;
            }
            limits = read(SqlTableMetadata.required(connection, table.name(), "it was there before"));
            // nor has it been made longer since the start; a strict server says so itself, and knows the column's
            // character set
            if (!holds(cell.getKey(), cell.getValue()) && isLax(connection)) {
                throw tooLong(cell.getKey(), event);
            }
        }
    }

    private static boolean isLax(Connection connection) throws SQLException {
        return new SqlCall("SELECT @@sql_mode")
                .query(connection, row -> row.getString(1)).stream().noneMatch(mode -> mode.contains("STRICT_"));
    }

    private boolean holds(OutboxColumn column, String text) {
        SqlColumnText.Limit limit = limits.get(column);
        return limit == null || limit.holds(text);
    }

    private StoreException tooLong(OutboxColumn column, Event event) {
        return new StoreException(
                StoreException.Reason.VALUE,
                "event " + event.eventId() + " of type " + event.type() + " does not fit: " + table.name() + "."
                        + table.shapeOf(column).name() + " holds "
                        + Objects.requireNonNull(limits.get(column)),
                null);
    }

    private Map<OutboxColumn, SqlColumnText.Limit> read(SqlTableMetadata shape) {
        Map<OutboxColumn, SqlColumnText.Limit> found = new EnumMap<>(OutboxColumn.class);
        if (table.dialect().isMySqlFamily()) { // the others know no lax mode
            table.mapping().columns().forEach((column, name) -> {
                SqlColumnText.Limit limit = SqlColumnText.limit(Objects.requireNonNull(shape.column(name)));
                if (limit != null) {
                    found.put(column, limit);
                }
            });
        }
        return found;
    }
}
