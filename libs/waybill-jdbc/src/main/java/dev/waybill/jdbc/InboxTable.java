package dev.waybill.jdbc;

import dev.waybill.message.Event;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** A consume log: what its statements are made of, and how texts fit into its columns. */
final class InboxTable extends SqlTable<InboxColumn, InboxMapping> {

    private final Map<String, String> placeholders = new HashMap<>();

    private InboxTable(Dialect dialect, InboxMapping mapping, SqlTableMetadata shape) {
        super(dialect, mapping, shape);
        nameColumns();
        nameStates();
        placeholders.put("now", times().nowInside());
        placeholders.put("briefly", SqlLockTimeout.of(dialect).prefix());
    }

    /**
     * Looks the table up.
     *
     * @throws StoreException MISCONFIGURED naming the table or column that is missing
     */
    static InboxTable open(Connection connection, InboxMapping mapping) throws SQLException {
        SqlTableMetadata shape = lookUp(
                connection,
                mapping,
                "--inbox",
                column -> "; add it, or leave it out with without(InboxColumn." + column + ")");
        return new InboxTable(Dialect.of(connection), mapping, shape);
    }

    private void nameColumns() {
        placeholders.put("table", shape().qualified(dialect()));
        mapping().columns().keySet().forEach(column -> placeholders.put(column.placeholder(), quoted(column)));
        placeholders.put(
                "mine",
                mapping().key().stream()
                        .map(column -> quoted(column) + " = :" + column.placeholder())
                        .collect(Collectors.joining(" AND ")));
        placeholders.put("key", mapping().key().stream().map(this::quoted).collect(Collectors.joining(", ")));
        placeholders.put("age", quoted(mapping().age()));
        placeholders.put("then", times().plus(times().now(), ":ago"));
        placeholders.put("failedAt", quoted(mapping().failedAt()));
        if (mapping().failedAt() == InboxColumn.CREATED_AT && has(InboxColumn.DONE_AT)) {
            placeholders.put("onlyDone", quoted(InboxColumn.DONE_AT));
        }
        Map<InboxColumn, String> born = Map.of(
                InboxColumn.EVENT_ID, ":eventId",
                InboxColumn.GROUP, ":group",
                InboxColumn.TYPE, ":type",
                InboxColumn.TRACE_ID, ":traceId",
                InboxColumn.CREATED_AT, times().nowInside(),
                InboxColumn.UPDATED_AT, times().nowInside());
        List<InboxColumn> written =
                mapping().columns().keySet().stream().filter(born::containsKey).toList();
        placeholders.put("columns", written.stream().map(this::quoted).collect(Collectors.joining(", ")));
        placeholders.put("values", written.stream().map(born::get).collect(Collectors.joining(", ")));
    }

    private void nameStates() {
        if (!has(InboxColumn.STATUS)) {
            placeholders.put("known", stored());
            return;
        }
        for (InboxState state : InboxState.values()) {
            placeholders.put(
                    state.name(), literal(Objects.requireNonNull(mapping().word(state))));
        }
        placeholders.put(
                "done", mapping().doneWords().stream().map(this::literal).collect(Collectors.joining(", ")));
        placeholders.put("failures", has(InboxColumn.ATTEMPTS) ? quoted(InboxColumn.ATTEMPTS) : "0");
        List<String> known = new ArrayList<>();
        known.add(stored());
        known.add("CASE WHEN {status} IN ({done}) THEN 1 ELSE 0 END");
        known.add("{failures}");
        placeholders.put("known", String.join(", ", known));
        if (has(InboxColumn.ATTEMPTS)) {
            placeholders.put("none", "0");
            placeholders.put("one", "1");
        }
        if (has(InboxColumn.ERROR)) {
            placeholders.put("why", ":error");
        }
    }

    /** The key as it is stored, which a column that compares without case may spell differently. */
    private String stored() {
        return quoted(InboxColumn.EVENT_ID) + ", " + (has(InboxColumn.GROUP) ? quoted(InboxColumn.GROUP) : "NULL");
    }

    /** A statement's text for this table. */
    String sql(String template) {
        return SqlText.fill(template, placeholders);
    }

    /** A statement about this event in this group. */
    SqlCall about(String sql, String eventId, String group) {
        return new SqlCall(sql)
                .set("eventId", whole(InboxColumn.EVENT_ID, eventId))
                .set("group", whole(InboxColumn.GROUP, group));
    }

    /** The same, for statements that write what the event says. */
    SqlCall about(String sql, Event event, String group) {
        SqlCall call = about(sql, event.eventId(), group);
        if (has(InboxColumn.TYPE)) {
            call.set("type", fit(InboxColumn.TYPE, event.type()));
        }
        if (has(InboxColumn.TRACE_ID)) {
            String trace = event.traceId();
            call.set("traceId", trace == null ? null : fit(InboxColumn.TRACE_ID, trace));
        }
        return call;
    }

    /** A part of the key. One that does not fit is refused: if it were cut, two events could be taken for one. */
    private String whole(InboxColumn column, String text) {
        if (has(column) && !fit(column, text).equals(text)) {
            throw new StoreException(
                    StoreException.Reason.VALUE,
                    column + " '" + text + "' does not fit into " + name() + "."
                            + shapeOf(column).name(),
                    null);
        }
        return text;
    }

    String fit(InboxColumn column, String text) {
        return SqlColumnText.fit(text, shapeOf(column), dialect());
    }
}
