package dev.waybill.jdbc;

import dev.waybill.store.AuditReader;
import dev.waybill.store.OperatorDecision;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads the decisions in {@code waybill_audit}, which is beside the outbox's table. Jobs and other outboxes are in it, too. */
public final class JdbcAuditReader implements AuditReader {

    private static final String RECORDS = """
            SELECT id, outbox_table, event_id, event_type, letter_id, action, actor, reason, error, {decidedMicros}
            FROM {auditTable}
            WHERE {which}
            ORDER BY id DESC
            LIMIT :limit""";

    private static final String OF_EVENT = "event_id = :event AND outbox_table IN (:outbox, :letters)";

    private final SqlConnections connections;
    private final String outbox;
    private final String table;
    private volatile @Nullable Dialect dialect;

    /** Reads the audit beside the table of this mapping. */
    public JdbcAuditReader(DataSource dataSource, OutboxMapping mapping) {
        this.connections = new SqlConnections(dataSource);
        this.outbox = mapping.table();
        this.table = mapping.table().substring(0, mapping.table().indexOf('.') + 1) + OperatorAuditLog.TABLE;
    }

    @Override
    public List<AuditRecord> ofEvent(String eventId, int limit) {
        return read(
                OF_EVENT,
                call -> call.set("event", eventId).set("outbox", outbox).set("letters", JdbcDeadLetterStore.TABLE),
                limit);
    }

    @Override
    public List<AuditRecord> latest(int limit, long before) {
        return read("id < :before", call -> call.set("before", before), limit);
    }

    private List<AuditRecord> read(String which, UnaryOperator<SqlCall> values, int limit) {
        Dialect known = dialect();
        SqlTimes times = SqlTimes.of(known, false, SqlTimeZone.SESSION);
        String sql = SqlText.fill(
                RECORDS, Map.of("auditTable", table, "which", which, "decidedMicros", times.epochMicros("decided_at")));
        return connections.once(
                "audit",
                table,
                known,
                connection -> values.apply(new SqlCall(sql))
                        .set("limit", (long) limit)
                        .query(connection, JdbcAuditReader::read));
    }

    private static AuditRecord read(ResultSet row) throws SQLException {
        long letter = row.getLong(5);
        Long letterId = row.wasNull() ? null : letter;
        return new AuditRecord(
                row.getLong(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                letterId,
                row.getString(6),
                new OperatorDecision(row.getString(7), row.getString(8)),
                row.getString(9),
                SqlTimes.instantOf(row.getLong(10)));
    }

    private Dialect dialect() {
        Dialect known = dialect;
        if (known == null) {
            known = connections.borrow("look up", table, (Connection connection) -> Dialect.of(connection));
            dialect = known;
        }
        return known;
    }
}
