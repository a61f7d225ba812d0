package dev.waybill.jdbc;

import dev.waybill.message.Event;
import dev.waybill.store.StoreException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Writes failures in transactions of its own. A row that is done is never touched. */
final class InboxFailureWriter {

    private static final String FAIL_AGAIN = """
            {briefly}UPDATE {table}
            SET {status} = {FAILED}[, {attempts} = {attempts} + 1][, {error} = :error][, {updatedAt} = {now}]
            WHERE {mine} AND {status} NOT IN ({done})""";

    private static final String FAIL_FIRST = """
            {briefly}INSERT INTO {table} ({columns}, {status}[, {attempts}][, {error}])
            VALUES ({values}, {FAILED}[, {one}][, {why}])""";

    private static final String UNLESS_THERE = " ON CONFLICT DO NOTHING";

    private static final String LAST_ERROR =
            "SELECT {error} FROM {table} WHERE {mine} AND {status} NOT IN ({done}) AND {error} IS NOT NULL";

    private final InboxTable table;
    private final SqlConnections connections;

    InboxFailureWriter(InboxTable table, SqlConnections connections) {
        this.table = table;
        this.connections = connections;
    }

    void fail(Event event, String group, String error) {
        if (!table.has(InboxColumn.STATUS)) {
            return; // a row would mean done
        }
        connections.transaction(
                "fail",
                table.name(),
                table.dialect(),
                connection -> SqlLockTimeout.of(table.dialect()).during(connection, () -> {
                    // a third step is for a row that came between the first two; if it is done, it stays as it is
                    return failAgain(connection, event, group, error)
                            || failFirst(connection, event, group, error)
                            || failAgain(connection, event, group, error);
                }));
    }

    private boolean failAgain(Connection connection, Event event, String group, String error) throws SQLException {
        return with(error, table.about(table.sql(FAIL_AGAIN), event, group)).update(connection) == 1;
    }

    private boolean failFirst(Connection connection, Event event, String group, String error) throws SQLException {
        String insert = table.sql(FAIL_FIRST) + (table.dialect() == Dialect.POSTGRESQL ? UNLESS_THERE : "");
        try {
            return with(error, table.about(insert, event, group)).update(connection) == 1;
        } catch (SQLException e) {
            if (SqlErrors.reason(e) == Reason.DUPLICATE) {
                return false;
            }
            throw e;
        }
    }

    private SqlCall with(String error, SqlCall call) {
        return table.has(InboxColumn.ERROR) ? call.set("error", table.fit(InboxColumn.ERROR, error)) : call;
    }

    Optional<String> lastError(String eventId, String group) {
        if (!table.has(InboxColumn.ERROR)) {
            return Optional.empty();
        }
        SqlCall call = table.about(table.sql(LAST_ERROR), eventId, group);
        return connections
                .once(
                        "lastError",
                        table.name(),
                        table.dialect(),
                        connection -> call.query(connection, row -> row.getString(1)))
                .stream()
                .findFirst();
    }
}
