package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.RowArchive;
import dev.waybill.store.OperatorDecision;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes who decided what about which event or dead letter, and why, into {@code waybill_audit}. */
final class OperatorAuditLog {

    static final String TABLE = "waybill_audit";

    private static final String WRITE = """
            INSERT INTO {auditTable}
                (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at :letter)
            VALUES :rows""";

    private static final SqlTableMetadata.Column EVENT_ID = text("event_id", 64);
    private static final SqlTableMetadata.Column EVENT_TYPE = text("event_type", 128);
    private static final SqlTableMetadata.Column ACTOR = text("actor", 128);
    private static final SqlTableMetadata.Column REASON = text("reason", 512);

    /** What was decided about; a dead letter has an id, an event of an outbox has none. */
    record Entry(
            String table,
            @Nullable Long letterId,
            String eventId,
            String eventType,
            int attempts,
            @Nullable String error,
            String event) {}

    private final String write;
    private final Dialect dialect;

    OperatorAuditLog(String auditTable, Dialect dialect) {
        this.write = WRITE.replace("{auditTable}", auditTable);
        this.dialect = dialect;
    }

    /** Deletes old records of the table that they are about. */
    static AgedRowSweeper sweeper(
            String auditTable, SqlConnections connections, Dialect dialect, @Nullable RowArchive archive) {
        return new AgedRowSweeper(
                connections,
                dialect,
                new AgedRowSweeper.Rows(auditTable, "outbox_table", "decided_at", "CURRENT_TIMESTAMP"),
                archive);
    }

    private static SqlTableMetadata.Column text(String name, int size) {
        return new SqlTableMetadata.Column(name, Types.VARCHAR, "varchar", size, true);
    }

    /** Who decided, as far as columns hold it. */
    static String actor(OperatorDecision decision, Dialect dialect) {
        return SqlColumnText.fit(decision.actor(), ACTOR, dialect);
    }

    /** Why, as far as columns hold it. */
    static String reason(OperatorDecision decision, Dialect dialect) {
        return SqlColumnText.fit(decision.reason(), REASON, dialect);
    }

    void write(Connection connection, String action, OperatorDecision decision, List<Entry> entries)
            throws SQLException {
        boolean letters = entries.get(0).letterId() != null;
        List<String> texts = new ArrayList<>();
        List<@Nullable Object> values = new ArrayList<>();
        for (Entry entry : entries) {
            texts.add("(?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP" + (letters ? ", ?)" : ")"));
            values.add(entry.table());
            values.add(SqlColumnText.fit(entry.eventId(), EVENT_ID, dialect));
            values.add(SqlColumnText.fit(entry.eventType(), EVENT_TYPE, dialect));
            values.add(action);
            values.add(actor(decision, dialect));
            values.add(reason(decision, dialect));
            values.add((long) entry.attempts());
            String error = entry.error();
            values.add(error == null ? null : OutboxAttemptLog.fit(error, dialect));
            values.add(entry.event());
            if (letters) {
                values.add(entry.letterId());
            }
        }
        new SqlCall(write)
                .part("letter", letters ? ", letter_id" : "", List.of())
                .part("rows", String.join(", ", texts), values)
                .update(connection);
    }
}
