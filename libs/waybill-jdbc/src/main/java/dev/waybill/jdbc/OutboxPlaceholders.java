package dev.waybill.jdbc;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the placeholders of an outbox table's statements stand for: quoted names, status literals, times, index hints. */
final class OutboxPlaceholders {

    private final OutboxTable table;
    private final Dialect dialect;
    private final OutboxMapping mapping;
    private final SqlTimes times;
    private final Map<String, String> placeholders = new HashMap<>();

    OutboxPlaceholders(OutboxTable table) {
        this.table = table;
        this.dialect = table.dialect();
        this.mapping = table.mapping();
        this.times = table.times();
    }

    Map<String, String> all() {
        nameColumns();
        nameStates();
        nameTimes();
        nameIndexes();
        placeholders.put("row", selectList("{payload}"));
        placeholders.put("rowWithSmallPayload", selectList(smallPayload()));
        // a row whose payload is NULL cannot be read, and has the id of such a row
        placeholders.put("rowWithoutPayload", selectList("CASE WHEN {payload} IS NOT NULL THEN '{}' END"));
        placeholders.put("payloadBytes", payloadBytes());
        placeholders.put("fence", fence());
        return Map.copyOf(placeholders);
    }

    private void nameColumns() {
        String schema = table.shape().schema();
        String prefix = schema == null ? "" : dialect.quote(schema) + ".";
        placeholders.put("table", prefix + dialect.quote(table.shape().name()));
        for (OutboxColumn column : mapping.columns().keySet()) {
            placeholders.put(column.placeholder(), table.quoted(column));
        }
        if (table.has(OutboxColumn.ERROR)) { // an adopted table may want a text in each row
            placeholders.put("noError", table.shapeOf(OutboxColumn.ERROR).nullable() ? "NULL" : "''");
        }
        placeholders.put("key", table.quoted(mapping.key()));
        placeholders.put(
                "keyed",
                dialect == Dialect.POSTGRESQL
                        ? "{key} = ANY("
                                + PostgreSqlArrays.unseen(":keys", PostgreSqlArrays.type(table.shapeOf(mapping.key())))
                                + ")"
                        : "{key} IN (:keys)");
        placeholders.put("attemptTable", prefix + "waybill_attempt");
        placeholders.put("auditTable", prefix + "waybill_audit");
        OutboxColumn born = table.has(OutboxColumn.CREATED_AT) ? OutboxColumn.CREATED_AT : OutboxColumn.OCCURRED_AT;
        placeholders.put("born", table.has(born) ? table.quoted(born) : table.quoted(mapping.key()));
    }

    private void nameStates() {
        for (OutboxState state : OutboxState.values()) {
            String word = mapping.word(state);
            if (word != null) {
                placeholders.put(state.name(), table.literal(word));
            }
        }
        placeholders.put(
                "claimable", mapping.claimable().stream().map(table::literal).collect(Collectors.joining(", ")));
        // With a plain condition beside a list of keys PostgreSQL may choose the index of waiting rows: by the
        // statistics of a
        // quiet hour it is empty, and each batch would read the whole backlog. It does not look into a CASE.
        placeholders.put(
                "stillClaimable",
                dialect == Dialect.POSTGRESQL
                        ? "CASE WHEN {status} IN ({claimable}) THEN TRUE ELSE FALSE END"
                        : "{status} IN ({claimable})");
        if (mapping.word(OutboxState.CLAIMED) != null) {
            // a released row gets back the status that it had before the claim
            placeholders.put("unclaimed", "CASE WHEN {attempts} > 0 THEN {RETRY} ELSE {NEW} END");
        }
    }

    private void nameTimes() {
        placeholders.put("now", times.now());
        placeholders.put("clock", times.wallClock());
        placeholders.put("dueMicros", times.wallClockMicros(table.quoted(OutboxColumn.DUE)));
        placeholders.put("leaseEnd", times.plus(times.now(), ":lease"));
        if (mapping.parksSettled()) {
            placeholders.put("sentDue", times.never(9999));
            placeholders.put("deadDue", times.never(9998));
        }
    }

    /**
     * Without a hint MySQL and MariaDB read small or freshly filled tables from end to end, and lock every row that they
     * read. H2 locks all rows before it sorts them; it is not asked to sort where it follows an index, which is in order.
     */
    private void nameIndexes() {
        String byDue = table.dueIndex(OutboxColumn.DUE);
        if (byDue == null) {
            byDue = table.dueIndex(OutboxColumn.STATUS, OutboxColumn.DUE);
        }
        placeholders.put("byDue", hint(byDue));
        placeholders.put("byKey", dialect == Dialect.H2 ? "" : hint(table.keyIndex()));
        placeholders.put("inDueOrder", dialect == Dialect.H2 && byDue != null ? "" : "ORDER BY {due}");
    }

    private String hint(@Nullable String index) {
        if (index == null || dialect == Dialect.POSTGRESQL) {
            return "";
        }
        return (dialect == Dialect.H2 ? "USE" : "FORCE") + " INDEX (" + dialect.quote(index) + ")";
    }

    private String fence() {
        return switch (mapping.fence()) {
            case TOKEN -> "{token} = :fence";
            case VERSION -> "{version} = :fence";
            case DUE -> "{due} = " + times.fromWallClock(":fence");
        };
    }

    private String selectList(String payload) {
        return table.rowColumns().stream()
                .map(column -> (column == OutboxColumn.PAYLOAD ? payload : expression(column)) + " AS "
                        + OutboxTable.label(column))
                .collect(Collectors.joining(", "));
    }

    private String smallPayload() {
        return "CASE WHEN {payloadBytes} <= " + OutboxLockedRow.SMALL + " THEN {payload} END";
    }

    /** Of a JSON value the text's size counts, because the text is what is read. */
    private String payloadBytes() {
        boolean cast =
                dialect == Dialect.POSTGRESQL && !PostgreSqlArrays.takesText(table.shapeOf(OutboxColumn.PAYLOAD));
        return "COALESCE(OCTET_LENGTH(" + (cast ? "CAST({payload} AS text)" : "{payload}") + "), 0)";
    }

    private String expression(OutboxColumn column) {
        return switch (column) {
            case OCCURRED_AT, CREATED_AT -> times.epochMicros(table.quoted(column));
            case DUE -> "{dueMicros}";
            default -> table.quoted(column);
        };
    }
}
