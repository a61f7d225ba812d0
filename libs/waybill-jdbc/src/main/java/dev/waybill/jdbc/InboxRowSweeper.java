package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.ArchivedRow;
import dev.waybill.jdbc.archive.RowArchive;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Deletes rows that have grown old. First reads which, without locks, then deletes those: a walk through the table that locks
 * what it sees would wait for every event that is being handled. Done rows nobody writes any more; of those that failed, one
 * that is being handled again is locked and passed over.
 */
final class InboxRowSweeper {

    private static final String OLD = """
            SELECT {key} FROM {table}
            WHERE {age} <= {then}[ AND {status} IN ({done})]
            LIMIT :limit""";

    private static final String DELETE = "{briefly}DELETE FROM {table} WHERE (:rows)[ AND {status} IN ({done})]";

    /** Where done rows alone have a time of being done, the index on it leads to the few others. */
    private static final String OLD_FAILED = """
            SELECT {key} FROM {table}
            WHERE {failedAt} <= {then} AND {status} NOT IN ({done})[ AND {onlyDone} IS NULL]
            LIMIT :limit""";

    private static final String LOCK_FAILED = """
            SELECT {key} FROM {table}
            WHERE (:rows) AND {failedAt} <= {then} AND {status} NOT IN ({done})
            FOR UPDATE SKIP LOCKED""";

    private static final String WHOLE_LOCKED = "SELECT * FROM {table} WHERE (:rows)";

    private static final String DELETE_LOCKED = "DELETE FROM {table} WHERE (:rows)";

    private static final String WHOLE =
            "SELECT * FROM {table} WHERE (:rows)[ AND {status} IN ({done})]" + SqlRowRemover.LOCKED;

    private static final int CHUNK = 200;

    private final InboxTable table;
    private final SqlConnections connections;
    private final String old;
    private final String row;
    private final SqlRowRemover<List<String>> done;
    private final SqlRowRemover<List<String>> failed;

    InboxRowSweeper(InboxTable table, SqlConnections connections, @Nullable RowArchive archive) {
        this.table = table;
        this.connections = connections;
        this.old = table.sql(OLD);
        this.row = table.mapping().key().stream()
                .map(column -> table.quoted(column) + " = ?")
                .collect(Collectors.joining(" AND ", "(", ")"));
        this.done = new SqlRowRemover<>(
                connections, table.dialect(), table.name(), archive, new InboxRowRemoval(WHOLE, DELETE));
        this.failed = new SqlRowRemover<>(
                connections, table.dialect(), table.name(), archive, new InboxRowRemoval(WHOLE_LOCKED, DELETE_LOCKED));
    }

    int sweep(Duration olderThan, int limit) {
        return sweep(old, olderThan, limit, done::remove);
    }

    int sweepFailed(Duration olderThan, int limit) {
        if (!table.has(InboxColumn.STATUS)) {
            return 0; // every row means done
        }
        return sweep(
                table.sql(OLD_FAILED),
                olderThan,
                limit,
                rows -> connections.transaction(
                        "sweep",
                        table.name(),
                        table.dialect(),
                        connection -> deleteFailed(connection, olderThan, rows)));
    }

    private int sweep(String which, Duration olderThan, int limit, ToIntFunction<List<List<String>>> delete) {
        int swept = 0;
        while (swept < limit) {
            int most = Math.min(CHUNK, limit - swept);
            List<List<String>> rows = once(connection -> old(which, connection, olderThan, most));
            int deleted = rows.isEmpty() ? 0 : delete.applyAsInt(rows);
            swept += deleted;
            if (deleted == 0 || rows.size() < most) {
                break;
            }
        }
        return swept;
    }

    /** One that has failed again meanwhile is not old any more. */
    private int deleteFailed(Connection connection, Duration olderThan, List<List<String>> rows) throws SQLException {
        List<List<String>> free = which(table.sql(LOCK_FAILED), rows)
                .set("ago", -ticks(olderThan))
                .query(connection, this::key);
        return failed.removeIn(connection, free);
    }

    private <T> T once(SqlConnections.Work<T> work) {
        return connections.once("sweep", table.name(), table.dialect(), work);
    }

    private List<List<String>> old(String which, Connection connection, Duration olderThan, int limit)
            throws SQLException {
        return new SqlCall(which)
                .set("ago", -ticks(olderThan))
                .set("limit", (long) limit)
                .query(connection, this::key);
    }

    private long ticks(Duration duration) {
        return table.times().wholeSeconds() ? duration.toSeconds() : duration.toNanos() / 1_000;
    }

    private List<String> key(ResultSet result) throws SQLException {
        List<String> key = new ArrayList<>();
        for (int i = 1; i <= table.mapping().key().size(); i++) {
            key.add(result.getString(i));
        }
        return key;
    }

    private SqlCall which(String sql, List<List<String>> rows) {
        String either = rows.stream().map(each -> row).collect(Collectors.joining(" OR "));
        return new SqlCall(sql)
                .part("rows", either, rows.stream().flatMap(List::stream).toList());
    }

    /** The statements that delete rows by their keys. */
    private final class InboxRowRemoval implements SqlRowRemover.Statements<List<String>> {

        private final String whole;
        private final String delete;

        InboxRowRemoval(String whole, String delete) {
            this.whole = table.sql(whole);
            this.delete = table.sql(delete);
        }

        @Override
        public SqlCall whole(List<List<String>> keys) {
            return which(whole, keys);
        }

        @Override
        public SqlCall delete(List<List<String>> keys) {
            return which(delete, keys);
        }

        @Override
        public List<String> key(ArchivedRow row) {
            return table.mapping().key().stream()
                    .map(column ->
                            SqlArchivedRow.text(row, table.shapeOf(column).name()))
                    .toList();
        }
    }
}
