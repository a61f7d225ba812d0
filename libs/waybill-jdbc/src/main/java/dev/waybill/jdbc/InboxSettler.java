package dev.waybill.jdbc;

import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Writes how admitted events ended, in the caller's transaction. Where a row means done there is nothing to write, but the
 * row must still be there: MySQL rolls a transaction back at a deadlock, and a handler that passes over that error would go
 * on, and commit, without it.
 */
final class InboxSettler {

    private static final String SUCCEED = """
            UPDATE {table}
            SET {status} = {SUCCESS}[, {costMs} = :cost][, {error} = NULL][, {doneAt} = {now}][, {updatedAt} = {now}]
            WHERE {mine} AND {status} = {PROCESSING}""";

    private static final String IGNORE = """
            UPDATE {table}
            SET {status} = {IGNORED}[, {costMs} = :cost][, {error} = :error][, {doneAt} = {now}][, {updatedAt} = {now}]
            WHERE {mine} AND {status} = {PROCESSING}""";

    private static final String STILL_THERE = "SELECT COUNT(*) FROM {table} WHERE {mine}";

    private final InboxTable table;
    private final String succeed;
    private final String ignore;

    InboxSettler(InboxTable table) {
        this.table = table;
        this.succeed = table.has(InboxColumn.STATUS) ? table.sql(SUCCEED) : "";
        this.ignore = table.has(InboxColumn.STATUS) ? table.sql(IGNORE) : "";
    }

    void settle(Connection connection, Event event, String group, HandlerResult result, Duration cost)
            throws SQLException {
        if (written(connection, event, group, result, cost) != 1) {
            throw new StoreException(
                    StoreException.Reason.FAILED,
                    "the row of event " + event.eventId() + " in " + table.name()
                            + " is gone: was its admission rolled back to a savepoint, or with an error that the handler passed over?",
                    null);
        }
    }

    private long written(Connection connection, Event event, String group, HandlerResult result, Duration cost)
            throws SQLException {
        if (!table.has(InboxColumn.STATUS)) {
            return table.about(table.sql(STILL_THERE), event, group)
                    .query(connection, row -> row.getLong(1))
                    .get(0);
        }
        SqlCall call;
        if (result instanceof HandlerResult.Ignored ignored) {
            call = table.about(ignore, event, group);
            if (table.has(InboxColumn.ERROR)) {
                call.set("error", table.fit(InboxColumn.ERROR, ignored.reason()));
            }
        } else {
            call = table.about(succeed, event, group);
        }
        return call.set("cost", cost.toMillis()).update(connection);
    }
}
