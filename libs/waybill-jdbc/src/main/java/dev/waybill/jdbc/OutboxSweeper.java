package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Deletes what nobody needs any more of an outbox: its settled rows, the errors of its sends, decisions about its rows. */
final class OutboxSweeper {

    private static final String UNSETTLED =
            "SELECT {column} FROM {table} WHERE {column} IN (:ids) AND {status} NOT IN ({settled})";

    private final OutboxTable table;
    private final SettledRowSweeper settledRows;
    private final AgedRowSweeper attempts;
    private final AgedRowSweeper audit;
    private final @Nullable OutboxColumn eventId;

    OutboxSweeper(OutboxTable table, SqlConnections connections) {
        this.table = table;
        this.settledRows = new SettledRowSweeper(table, connections);
        this.attempts = new AgedRowSweeper(
                connections,
                table.dialect(),
                new AgedRowSweeper.Rows(table.sql("{attemptTable}"), "outbox_table", "failed_at", "CURRENT_TIMESTAMP"));
        this.audit = OperatorAuditLog.sweeper(table.sql("{auditTable}"), connections, table.dialect());
        this.eventId = table.has(OutboxColumn.EVENT_ID)
                ? OutboxColumn.EVENT_ID
                : table.mapping().keyIsEventId() ? OutboxColumn.KEY : null;
    }

    int sweepSettled(Duration olderThan, int limit) {
        return settledRows.sweep(olderThan, limit);
    }

    int sweepAttempts(Duration olderThan, int limit) {
        return table.keepsAttempts() ? attempts.sweep(table.name(), olderThan, limit, this::ofSettled) : 0;
    }

    int sweepAudit(Duration olderThan, int limit) {
        return audit.sweep(table.name(), olderThan, limit);
    }

    /**
     * Attempts of events that neither wait nor are DEAD. The ids go back and forth, because the collations of an adopted table
     * may differ from those of ours, and MySQL joins no such two. Where the table has no column for ids, the age alone decides.
     */
    private List<AgedRowSweeper.OldRow> ofSettled(Connection connection, List<AgedRowSweeper.OldRow> old)
            throws SQLException {
        if (eventId == null) {
            return old;
        }
        boolean numeric = table.shapeOf(eventId).numeric();
        List<Object> ids = old.stream()
                .map(AgedRowSweeper.OldRow::eventId)
                .distinct()
                .<Object>map(id -> numeric ? (Object) Long.valueOf(id) : id)
                .toList();
        String sql = table.sql(
                UNSETTLED, Map.of("column", table.quoted(eventId), "settled", SettledRowSweeper.settledWords(table)));
        String each = table.parameter(eventId, "?");
        Set<String> unsettled = new HashSet<>(new SqlCall(sql)
                .part("ids", ids.stream().map(id -> each).collect(Collectors.joining(", ")), ids)
                .query(connection, row -> spelled(row.getString(1))));
        return old.stream()
                .filter(attempt -> !unsettled.contains(spelled(attempt.eventId())))
                .toList();
    }

    /** An id as the database may have compared it, without case and blanks: it is better to keep too much. */
    private static String spelled(String id) {
        return id.strip().toLowerCase(Locale.ROOT);
    }
}
