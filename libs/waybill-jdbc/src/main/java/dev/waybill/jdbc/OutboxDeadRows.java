package dev.waybill.jdbc;

import dev.waybill.message.BodyFormat;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.MalformedEventException;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.OutboxStore.DeadEvent;
import dev.waybill.store.OutboxStore.DeadSummary;
import dev.waybill.store.StoreException;
import dev.waybill.store.UnreadableRow;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rows that were given up, and what people decide about them. Every decision is audited in the same transaction. */
final class OutboxDeadRows {

    private static final String LIST = """
            SELECT {row}[, {error} AS wb_error] FROM {table} {byDead}
            WHERE {status} = {DEAD}[ AND {due} = {deadDue}]
            ORDER BY {born}, {key}
            LIMIT :limit""";

    private static final String LOCK_DEAD = """
            SELECT {row}[, {error} AS wb_error] FROM {table} {byKey}
            WHERE {keyed} AND {status} = {DEAD}
            FOR UPDATE""";

    private static final String REQUEUE = """
            UPDATE {table} {byKey}
            SET {status} = {NEW}, {attempts} = 0, {due} = {now}[, {error} = {noError}]
                [, {token} = NULL][, {version} = {version} + 1][, {updatedAt} = {now}]
            WHERE {keyed}""";

    private static final String DISCARD = """
            UPDATE {table} {byKey}
            SET {status} = {DISCARDED}[, {version} = {version} + 1][, {updatedAt} = {now}]
            WHERE {keyed}""";

    private static final String EDIT = """
            UPDATE {table} {byKey}
            SET {payload} = :payload[, {headers} = :headers][, {version} = {version} + 1][, {updatedAt} = {now}]
            WHERE {keyed}""";

    private static final String REMOVE = "DELETE FROM {table} WHERE {keyed}";

    private final OutboxTable table;
    private final OutboxConditions conditions;
    private final OutboxRowCodec codec;
    private final SqlConnections connections;
    private final OperatorAuditLog audit;
    private final @Nullable OutboxAttemptLog attempts;
    private final OutboxDeadSummaries summaries;

    OutboxDeadRows(OutboxTable table, OutboxRowCodec codec, SqlConnections connections) {
        this.table = table;
        this.conditions = new OutboxConditions(table);
        this.codec = codec;
        this.connections = connections;
        this.audit = new OperatorAuditLog(table.sql("{auditTable}"), table.dialect());
        this.attempts = table.has(OutboxColumn.ERROR) ? null : new OutboxAttemptLog(table, "");
        this.summaries = new OutboxDeadSummaries(table, codec, attempts);
    }

    /** A dead row with its error. */
    record DeadRow(OutboxRow row, @Nullable String error) {}

    List<DeadEvent> dead(int limit) {
        return connections.once(
                "dead",
                table.name(),
                table.dialect(),
                connection -> withErrors(connection, list(connection, limit)).stream()
                        .map(dead -> deadEvent(dead))
                        .toList());
    }

    List<DeadSummary> summaries(int limit, @Nullable String after) {
        return connections.once(
                "dead", table.name(), table.dialect(), connection -> summaries.page(connection, limit, after));
    }

    int requeue(List<String> eventIds, OperatorDecision decision) {
        return decide(eventIds, decision, "REQUEUE", REQUEUE);
    }

    int discard(List<String> eventIds, OperatorDecision decision) {
        boolean keepsRow = table.mapping().word(OutboxState.DISCARDED) != null;
        return decide(eventIds, decision, "DISCARD", keepsRow ? DISCARD : REMOVE);
    }

    private int decide(List<String> eventIds, OperatorDecision decision, String action, String verb) {
        if (eventIds.isEmpty()) {
            return 0;
        }
        return connections.transaction(action.toLowerCase(Locale.ROOT), table.name(), table.dialect(), connection -> {
            int decided = 0;
            List<String> keys = keysOf(connection, Set.copyOf(eventIds));
            for (int from = 0; from < keys.size(); from += SqlCall.LONGEST_LIST) {
                List<String> some = keys.subList(from, Math.min(keys.size(), from + SqlCall.LONGEST_LIST));
                List<DeadRow> rows = locked(connection, some);
                if (!rows.isEmpty()) {
                    audit.write(
                            connection,
                            action,
                            decision,
                            rows.stream().map(this::entry).toList());
                    table.keyed(
                                    new SqlCall(table.sql(verb)),
                                    rows.stream().map(dead -> dead.row().key()).toList())
                            .update(connection);
                    decided += rows.size();
                }
            }
            return decided;
        });
    }

    private List<DeadRow> locked(Connection connection, List<String> keys) throws SQLException {
        return withErrors(
                connection, table.keyed(new SqlCall(table.sql(LOCK_DEAD)), keys).query(connection, this::read));
    }

    /** The event is written anew, as an append would: where the columns cannot tell it, the payload holds the whole envelope. */
    boolean edit(String eventId, String payload, OperatorDecision decision) {
        return connections.transaction("edit", table.name(), table.dialect(), connection -> {
            List<String> keys = keysOf(connection, Set.of(eventId));
            List<DeadRow> rows = keys.isEmpty() ? List.of() : locked(connection, keys);
            if (rows.isEmpty() || !(rows.get(0).row().content() instanceof OutboxRowContent.EventRow readable)) {
                return false;
            }
            Event edited = readable.event().toBuilder().payload(payload).build();
            requireJson(edited);
            Map<OutboxColumn, String> cells = codec.encode(edited);
            new OutboxTextLimits(table).check(connection, edited, cells);
            audit.write(connection, "EDIT", decision, List.of(entry(rows.get(0))));
            return writeEdited(connection, rows.get(0).row().key(), cells);
        });
    }

    private boolean writeEdited(Connection connection, String key, Map<OutboxColumn, String> cells)
            throws SQLException {
        SqlCall update = table.keyed(new SqlCall(table.sql(EDIT)), List.of(key));
        for (OutboxColumn column : List.of(OutboxColumn.PAYLOAD, OutboxColumn.HEADERS)) {
            if (table.has(column)) {
                update.part(
                        column.placeholder(),
                        table.parameter(column, "?"),
                        Collections.singletonList(cells.get(column)));
            }
        }
        return update.update(connection) == 1;
    }

    private static void requireJson(Event edited) {
        try {
            Envelope.encode(edited, BodyFormat.ENVELOPE);
        } catch (MalformedEventException e) {
            throw new StoreException(StoreException.Reason.VALUE, "the payload is no JSON", e);
        }
    }

    private OperatorAuditLog.Entry entry(DeadRow dead) {
        OutboxRow row = dead.row();
        Event event = row.content() instanceof OutboxRowContent.EventRow readable ? readable.event() : null;
        return new OperatorAuditLog.Entry(
                table.name(),
                null,
                row.eventId(),
                event == null ? UnreadableRow.TYPE : event.type(),
                row.attempts(),
                dead.error(),
                text(row.content()));
    }

    private static DeadEvent deadEvent(DeadRow dead) {
        OutboxRow row = dead.row();
        Event event = row.content() instanceof OutboxRowContent.EventRow readable ? readable.event() : null;
        return new DeadEvent(row.eventId(), event, row.attempts(), dead.error());
    }

    /** The envelope; of an event that cannot be written as one, what there is. */
    private static String text(OutboxRowContent content) {
        if (content instanceof OutboxRowContent.Unreadable unreadable) {
            return unreadable.reason();
        }
        Event event = ((OutboxRowContent.EventRow) content).event();
        try {
            return new String(Envelope.encode(event, BodyFormat.ENVELOPE), StandardCharsets.UTF_8);
        } catch (MalformedEventException e) {
            return event.payload();
        }
    }

    /** Where the id stands in the headers only, DEAD rows are read to find it, without their payloads. */
    private List<String> keysOf(Connection connection, Set<String> eventIds) throws SQLException {
        if (table.has(OutboxColumn.EVENT_ID) || table.mapping().keyIsEventId()) {
            return eventIds.stream()
                    .filter(id -> conditions.fits(table.mapping().key(), id))
                    .toList();
        }
        return summaries.keysOf(connection, eventIds);
    }

    private List<DeadRow> list(Connection connection, int limit) throws SQLException {
        return new SqlCall(table.sql(LIST, Map.of("byDead", table.mapping().parksSettled() ? "{byDue}" : "")))
                .set("limit", (long) limit)
                .query(connection, this::read);
    }

    private DeadRow read(ResultSet row) throws SQLException {
        String error = table.has(OutboxColumn.ERROR) ? row.getString("wb_error") : null;
        return new DeadRow(OutboxRow.read(row, 1, table, codec), error);
    }

    private List<DeadRow> withErrors(Connection connection, List<DeadRow> rows) throws SQLException {
        if (attempts == null || rows.isEmpty()) {
            return rows;
        }
        Map<String, String> errors = attempts.lastErrors(
                connection, rows.stream().map(dead -> dead.row().eventId()).toList());
        return rows.stream()
                .map(dead -> new DeadRow(dead.row(), errors.get(dead.row().eventId())))
                .toList();
    }
}
