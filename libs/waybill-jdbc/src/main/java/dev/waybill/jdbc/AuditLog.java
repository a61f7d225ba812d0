package dev.waybill.jdbc;

import dev.waybill.jdbc.OutboxBoard.DeadRow;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.MalformedEventException;
import dev.waybill.store.OutboxStore.Decision;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes who requeued or discarded what, and why, into {@code waybill_audit}. The event itself is kept with it. */
final class AuditLog {

    static final String TABLE = "waybill_audit";

    private static final String WRITE = """
            INSERT INTO {auditTable}
                (outbox_table, event_id, event_type, action, actor, reason, attempts, error, event, decided_at)
            VALUES :rows""";

    private static final TableShape.Column ACTOR = new TableShape.Column("actor", Types.VARCHAR, "varchar", 128, true);
    private static final TableShape.Column REASON =
            new TableShape.Column("reason", Types.VARCHAR, "varchar", 512, true);

    private final OutboxTable table;
    private final String write;

    AuditLog(OutboxTable table) {
        this.table = table;
        this.write = table.sql(WRITE);
    }

    void write(Connection connection, String action, Decision decision, List<DeadRow> rows) throws SQLException {
        List<String> texts = new ArrayList<>();
        List<@Nullable Object> values = new ArrayList<>();
        for (DeadRow dead : rows) {
            Event event = dead.row().event();
            texts.add("(?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP)");
            values.add(table.name());
            values.add(event.eventId());
            values.add(event.type());
            values.add(action);
            values.add(ColumnText.fit(decision.actor(), ACTOR, table.dialect()));
            values.add(ColumnText.fit(decision.reason(), REASON, table.dialect()));
            values.add((long) dead.row().attempts());
            String error = dead.error();
            values.add(error == null ? null : AttemptLog.fit(error, table.dialect()));
            values.add(text(event));
        }
        new SqlCall(write).part("rows", String.join(", ", texts), values).update(connection);
    }

    /** The envelope; of an event that cannot be written as one, what there is. */
    private static String text(Event event) {
        try {
            return new String(Envelope.encode(event, BodyFormat.ENVELOPE), StandardCharsets.UTF_8);
        } catch (MalformedEventException e) {
            return event.payload();
        }
    }
}
