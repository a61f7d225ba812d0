package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.ArchivedRow;
import dev.waybill.jdbc.archive.RowArchive;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Deletes old rows of one of Waybill's tables of records, in the order of their ids and in small chunks. First reads which,
 * without locks, then deletes those.
 */
final class AgedRowSweeper {

    private static final String OLD = """
            SELECT id, event_id FROM {table}
            WHERE {column} = :owner AND id > :after AND {time} <= {then}
            ORDER BY id
            LIMIT :limit""";

    private static final String DELETE = "DELETE FROM {table} WHERE id IN (:ids) AND {column} = :owner";

    private static final String WHOLE =
            "SELECT * FROM {table} WHERE id IN (:ids) AND {column} = :owner" + SqlRowRemover.LOCKED;

    private static final int CHUNK = 200;

    /**
     * Which rows.
     *
     * @param table the table's name in statements
     * @param column by which rows belong to an owner
     * @param time by which they grow old
     * @param now what the clock shows by which that was written
     */
    record Rows(String table, String column, String time, String now) {}

    /** A row that is old enough. */
    record OldRow(long id, String eventId) {}

    /** Says which of the old rows are needed no more. */
    @FunctionalInterface
    interface Choice {
        List<OldRow> of(Connection connection, List<OldRow> old) throws SQLException;
    }

    private final SqlConnections connections;
    private final Dialect dialect;
    private final SqlTimes times;
    private final String name;
    private final String old;
    private final String delete;
    private final String whole;
    private final @Nullable RowArchive archive;

    AgedRowSweeper(SqlConnections connections, Dialect dialect, Rows rows, @Nullable RowArchive archive) {
        this.connections = connections;
        this.dialect = dialect;
        this.times = SqlTimes.of(dialect, false, SqlTimeZone.UTC);
        this.name = rows.table();
        Map<String, String> placeholders = Map.of(
                "table", rows.table(),
                "column", rows.column(),
                "time", rows.time(),
                "then", times.plus(rows.now(), ":ago"));
        this.old = SqlText.fill(OLD, placeholders);
        this.delete = SqlText.fill(DELETE, placeholders);
        this.whole = SqlText.fill(WHOLE, placeholders);
        this.archive = archive;
    }

    int sweep(String owner, Duration olderThan, int limit) {
        return sweep(owner, olderThan, limit, (connection, rows) -> rows);
    }

    int sweep(String owner, Duration olderThan, int limit, Choice choice) {
        SqlRowRemover<Long> remover = remover(owner);
        int swept = 0;
        long after = 0;
        while (swept < limit) {
            long from = after;
            int most = Math.min(CHUNK, limit - swept);
            List<OldRow> rows = once(connection -> old(connection, owner, olderThan, from, most));
            List<OldRow> unneeded = rows.isEmpty() ? rows : once(connection -> choice.of(connection, rows));
            if (!unneeded.isEmpty()) {
                swept += remover.remove(unneeded.stream().map(OldRow::id).toList());
            }
            if (rows.size() < most) {
                break;
            }
            after = rows.get(rows.size() - 1).id();
        }
        return swept;
    }

    private List<OldRow> old(Connection connection, String owner, Duration olderThan, long after, int limit)
            throws SQLException {
        return new SqlCall(old)
                .set("owner", owner)
                .set("after", after)
                .set("ago", -times.ticks(olderThan))
                .set("limit", (long) limit)
                .query(connection, row -> new OldRow(row.getLong(1), String.valueOf(row.getString(2))));
    }

    private SqlRowRemover<Long> remover(String owner) {
        return new SqlRowRemover<>(connections, dialect, name, archive, new SqlRowRemover.Statements<Long>() {

            @Override
            public SqlCall whole(List<Long> ids) {
                return new SqlCall(whole).list("ids", ids).set("owner", owner);
            }

            @Override
            public SqlCall delete(List<Long> ids) {
                return new SqlCall(delete).list("ids", ids).set("owner", owner);
            }

            @Override
            public Long key(ArchivedRow row) {
                return Long.valueOf(SqlArchivedRow.text(row, "id"));
            }
        });
    }

    private <T> T once(SqlConnections.Work<T> work) {
        return connections.once("sweep", name, dialect, work);
    }
}
