package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.RowArchive;
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
    private final DeadRowSweeper deadRows;
    private final AgedRowSweeper attempts;
    private final AgedRowSweeper audit;
    private final @Nullable OutboxColumn eventId;
    private final SqlConnections connections;
    private final @Nullable RowArchive archive;
    private boolean lookedUp;
    private boolean roundIsOver = true;
    private Duration period = Duration.ZERO;
    private @Nullable OutboxPartitioner partitioner;

    OutboxSweeper(OutboxTable table, SqlConnections connections, @Nullable RowArchive archive) {
        this.table = table;
        this.connections = connections;
        this.archive = archive;
        this.settledRows = new SettledRowSweeper(table, connections, archive);
        this.deadRows = new DeadRowSweeper(table, connections, archive);
        this.attempts = new AgedRowSweeper(
                connections,
                table.dialect(),
                new AgedRowSweeper.Rows(table.sql("{attemptTable}"), "outbox_table", "failed_at", "CURRENT_TIMESTAMP"),
                archive);
        this.audit = OperatorAuditLog.sweeper(table.sql("{auditTable}"), connections, table.dialect(), archive);
        this.eventId = table.has(OutboxColumn.EVENT_ID)
                ? OutboxColumn.EVENT_ID
                : table.mapping().keyIsEventId() ? OutboxColumn.KEY : null;
    }

    /**
     * A table in partitions is swept in chunks too, but only of what is older than its partition could have been dropped:
     * what is beside a row that still waits, and what has ids of another make.
     */
    synchronized int sweepSettled(Duration olderThan, int limit) {
        OutboxPartitioner dropping = partitioner();
        if (dropping == null) {
            return settledRows.sweep(olderThan, limit);
        }
        if (roundIsOver) {
            dropping.beginRound(olderThan);
        }
        int swept = dropping.sweep(limit);
        if (swept < limit) {
            swept += settledRows.sweep(olderThan.plus(period.multipliedBy(2)), limit - swept);
        }
        roundIsOver = swept < limit;
        return swept;
    }

    /** Looked up once: a table does not get partitions while it is in use. */
    private @Nullable OutboxPartitioner partitioner() {
        if (!lookedUp) {
            Duration found = OutboxPartitioner.periodOf(table, connections);
            if (found != null) {
                period = found;
                partitioner = new OutboxPartitioner(table, connections, archive);
            }
            lookedUp = true;
        }
        return partitioner;
    }

    int sweepDead(Duration olderThan, int limit) {
        return deadRows.sweep(olderThan, limit);
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
