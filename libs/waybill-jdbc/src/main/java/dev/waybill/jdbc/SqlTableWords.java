package dev.waybill.jdbc;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The words that a table's statements are made of: quoted names, status literals, times, index hints. */
final class SqlTableWords {

    private final OutboxTable table;
    private final Dialect dialect;
    private final OutboxMapping mapping;
    private final SqlTimes times;
    private final Map<String, String> words = new HashMap<>();

    SqlTableWords(OutboxTable table) {
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
        words.put("row", selectList());
        words.put("fence", fence());
        return Map.copyOf(words);
    }

    private void nameColumns() {
        String schema = table.shape().schema();
        String prefix = schema == null ? "" : dialect.quote(schema) + ".";
        words.put("table", prefix + dialect.quote(table.shape().name()));
        for (OutboxColumn column : mapping.columns().keySet()) {
            words.put(column.placeholder(), table.quoted(column));
        }
        words.put("key", table.quoted(mapping.key()));
        words.put(
                "keyed",
                dialect == Dialect.POSTGRESQL
                        ? "{key} = ANY("
                                + PostgreSqlArrays.unseen(":keys", PostgreSqlArrays.type(table.shapeOf(mapping.key())))
                                + ")"
                        : "{key} IN (:keys)");
        words.put("attemptTable", prefix + "waybill_attempt");
        words.put("auditTable", prefix + "waybill_audit");
        OutboxColumn born = table.has(OutboxColumn.CREATED_AT) ? OutboxColumn.CREATED_AT : OutboxColumn.OCCURRED_AT;
        words.put("born", table.has(born) ? table.quoted(born) : table.quoted(mapping.key()));
    }

    private void nameStates() {
        for (OutboxState state : OutboxState.values()) {
            String word = mapping.word(state);
            if (word != null) {
                words.put(state.name(), table.literal(word));
            }
        }
        words.put("claimable", mapping.claimable().stream().map(table::literal).collect(Collectors.joining(", ")));
        // Beside a list of keys, PostgreSQL must not see that the index of waiting rows would do as well: by the
        // statistics of a quiet hour there are none, and it would walk the whole backlog for each batch.
        words.put(
                "stillClaimable",
                dialect == Dialect.POSTGRESQL
                        ? "CASE WHEN {status} IN ({claimable}) THEN TRUE ELSE FALSE END"
                        : "{status} IN ({claimable})");
        if (mapping.word(OutboxState.CLAIMED) != null) {
            // what a claimed row was before, for giving it back
            words.put("unclaimed", "CASE WHEN {attempts} > 0 THEN {RETRY} ELSE {NEW} END");
        }
    }

    private void nameTimes() {
        words.put("now", times.now());
        words.put("clock", times.clockFace());
        words.put("dueFace", times.face(table.quoted(OutboxColumn.DUE)));
        words.put("leaseEnd", times.plus(times.now(), ":lease"));
        if (mapping.parksSettled()) {
            words.put("sentDue", times.never(9999));
            words.put("deadDue", times.never(9998));
        }
    }

    /**
     * MySQL and MariaDB otherwise read small or freshly filled tables from end to end, and lock what they read. H2 locks
     * everything before it sorts, but walks an index in order when it is not asked to sort.
     */
    private void nameIndexes() {
        String byDue = table.dueIndex(OutboxColumn.DUE);
        if (byDue == null) {
            byDue = table.dueIndex(OutboxColumn.STATUS, OutboxColumn.DUE);
        }
        words.put("byDue", hint(byDue));
        words.put("byKey", dialect == Dialect.H2 ? "" : hint(table.keyIndex()));
        words.put("inDueOrder", dialect == Dialect.H2 && byDue != null ? "" : "ORDER BY {due}");
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
            case DUE -> "{due} = " + times.fromFace(":fence");
        };
    }

    private String selectList() {
        return table.rowColumns().stream()
                .map(column -> expression(column) + " AS " + OutboxTable.label(column))
                .collect(Collectors.joining(", "));
    }

    private String expression(OutboxColumn column) {
        return switch (column) {
            case OCCURRED_AT, CREATED_AT -> times.epochMicros(table.quoted(column));
            case DUE -> "{dueFace}";
            default -> table.quoted(column);
        };
    }
}
