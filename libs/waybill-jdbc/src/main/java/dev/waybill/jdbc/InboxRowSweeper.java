package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Deletes done rows that have grown old. First reads which, without locks, then deletes those: a walk through the table
 * that locks what it sees would wait for every event that is being handled.
 */
final class InboxRowSweeper {

    private static final String OLD = """
            SELECT {key} FROM {table}
            WHERE {age} <= {then}[ AND {status} IN ({done})]
            LIMIT :limit""";

    private static final String DELETE = "{briefly}DELETE FROM {table} WHERE (:rows)[ AND {status} IN ({done})]";

    private static final int CHUNK = 200;

    private final InboxTable table;
    private final SqlConnections connections;
    private final String old;
    private final String delete;
    private final String row;

    InboxRowSweeper(InboxTable table, SqlConnections connections) {
        this.table = table;
        this.connections = connections;
        SqlTimes times = table.times();
        this.old = table.sql(OLD.replace("{then}", times.plus(times.now(), ":ago")));
        this.delete = table.sql(DELETE);
        this.row = table.mapping().key().stream()
                .map(column -> table.quoted(column) + " = ?")
                .collect(Collectors.joining(" AND ", "(", ")"));
    }

    int sweep(Duration olderThan, int limit) {
        int swept = 0;
        while (swept < limit) {
            int most = Math.min(CHUNK, limit - swept);
            List<List<String>> rows = once(connection -> old(connection, olderThan, most));
            if (rows.isEmpty()) {
                break;
            }
            swept += once(connection -> delete(connection, rows));
            if (rows.size() < most) {
                break;
            }
        }
        return swept;
    }

    private <T> T once(SqlConnections.Work<T> work) {
        return connections.once("sweep", table.name(), table.dialect(), work);
    }

    private List<List<String>> old(Connection connection, Duration olderThan, int limit) throws SQLException {
        long ago = table.times().wholeSeconds() ? olderThan.toSeconds() : olderThan.toNanos() / 1_000;
        return new SqlCall(old).set("ago", -ago).set("limit", (long) limit).query(connection, result -> {
            List<String> key = new ArrayList<>();
            for (int i = 1; i <= table.mapping().key().size(); i++) {
                key.add(result.getString(i));
            }
            return key;
        });
    }

    private int delete(Connection connection, List<List<String>> rows) throws SQLException {
        String either = rows.stream().map(each -> row).collect(Collectors.joining(" OR "));
        return new SqlCall(delete)
                .part("rows", either, rows.stream().flatMap(List::stream).toList())
                .update(connection);
    }
}
