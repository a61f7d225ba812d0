package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.RowArchive;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Deletes DEAD rows that have grown old, for those who do not want to keep them. One that is requeued meanwhile stays. */
final class DeadRowSweeper {

    private static final String OLD = """
            SELECT {key} FROM {table} {byDead}
            WHERE {status} = {DEAD}[ AND {due} = {deadDue}] AND {age} <= {then}
            ORDER BY {born}, {key}
            LIMIT :limit""";

    private static final int CHUNK = 200;

    private final OutboxTable table;
    private final SqlConnections connections;
    private final SqlRowRemover<String> remover;
    private final String old;

    DeadRowSweeper(OutboxTable table, SqlConnections connections, @Nullable RowArchive archive) {
        this.table = table;
        this.connections = connections;
        this.remover = new SqlRowRemover<>(
                connections, table.dialect(), table.name(), archive, new OutboxRowRemoval(table, "{status} = {DEAD}"));
        Map<String, String> placeholders = new HashMap<>(SettledRowSweeper.placeholders(table));
        placeholders.put("byDead", table.mapping().parksSettled() ? "{byDue}" : "");
        this.old = table.sql(OLD, placeholders);
    }

    int sweep(Duration olderThan, int limit) {
        int swept = 0;
        while (swept < limit) {
            int most = Math.min(CHUNK, limit - swept);
            List<String> keys = once(connection -> old(connection, olderThan, most));
            swept += remover.remove(keys);
            if (keys.size() < most) {
                break;
            }
        }
        return swept;
    }

    private List<String> old(Connection connection, Duration olderThan, int limit) throws SQLException {
        return new SqlCall(old)
                .set("ago", -table.times().ticks(olderThan))
                .set("limit", (long) limit)
                .query(connection, row -> row.getString(1));
    }

    private <T> T once(SqlConnections.Work<T> work) {
        return connections.once("sweep", table.name(), table.dialect(), work);
    }
}
