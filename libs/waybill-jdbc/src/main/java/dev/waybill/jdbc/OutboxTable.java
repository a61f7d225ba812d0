package dev.waybill.jdbc;

import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** An outbox table: what its statements are made of, which of its indexes serve them, and how keys and fences are written. */
final class OutboxTable extends SqlTable<OutboxColumn, OutboxMapping> {

    /** Rows that a claim can take in due order by following one index. */
    record DueRange(String condition, boolean withoutDueTime) {

        /**
         * What a claim's statement needs to know. Rows without a due time are in no order: asked for one, MySQL would lock all
         * of them and sort.
         */
        Map<String, String> placeholders() {
            return withoutDueTime ? Map.of("range", condition, "inDueOrder", "") : Map.of("range", condition);
        }
    }

    /** What the key's column does not tell apart. */
    private enum KeySpelling {
        EXACT,
        PADDED,
        UUID;

        static KeySpelling of(SqlTableMetadata.Column key) {
            return switch (key.typeName().toLowerCase(Locale.ROOT)) {
                case "uuid" -> UUID;
                case "bpchar", "char", "character" -> PADDED;
                default -> EXACT;
            };
        }
    }

    /** Prefix of the labels under which the row's columns are read. */
    private static final String LABEL = "wb_";

    private final String source;
    private final @Nullable SqlTableMetadata attempts;
    private final KeySpelling keySpelling;
    private final List<OutboxColumn> rowColumns;
    private final Map<String, String> placeholders;
    private final Map<Filled, String> filled = new ConcurrentHashMap<>();

    /** A template and the placeholders that it was filled with beside the table's own. */
    private record Filled(String template, Map<String, String> more) {}

    private OutboxTable(
            Dialect dialect,
            OutboxMapping mapping,
            SqlTableMetadata shape,
            @Nullable SqlTableMetadata attempts,
            String source) {
        super(dialect, mapping, shape);
        this.source = source;
        this.attempts = attempts;
        this.keySpelling = KeySpelling.of(shapeOf(mapping.key()));
        this.rowColumns =
                mapping.columns().keySet().stream().filter(this::isRead).toList();
        this.placeholders = new OutboxPlaceholders(this).all();
    }

    /**
     * Looks the table up.
     *
     * @throws StoreException MISCONFIGURED naming the table or column that is missing
     */
    static OutboxTable open(Connection connection, OutboxMapping mapping, String source) throws SQLException {
        SqlTableMetadata shape = lookUp(connection, mapping, "--layout", column -> "");
        return new OutboxTable(
                Dialect.of(connection), mapping, shape, OutboxAttemptLog.lookUp(connection, mapping), source);
    }

    /** Whether a claim needs the column. Each column that it reads costs time for every event. */
    private boolean isRead(OutboxColumn column) {
        return switch (column) {
            case STATUS, ERROR, SENT_AT, UPDATED_AT, TOKEN, SOURCE, BROKER_ID -> false;
            case CREATED_AT ->
                !has(OutboxColumn.OCCURRED_AT)
                        || shapeOf(OutboxColumn.OCCURRED_AT).nullable();
            default -> true;
        };
    }

    /** A statement's text for this table. */
    String sql(String template) {
        return SqlText.fill(template, placeholders);
    }

    /** The same with further placeholders. None may hold a value, because every text that is made here is cached for good. */
    String sql(String template, Map<String, String> more) {
        return filled.computeIfAbsent(new Filled(template, Map.copyOf(more)), pair -> {
            Map<String, String> all = new HashMap<>(placeholders);
            all.putAll(pair.more());
            return SqlText.fill(pair.template(), all);
        });
    }

    /** What {@code {row}} selects, in its order. */
    List<OutboxColumn> rowColumns() {
        return rowColumns;
    }

    String source() {
        return source;
    }

    /** Whether failed sends are written down beside the table. Where it has no column for errors, they have to be. */
    boolean keepsAttempts() {
        return attempts != null || !has(OutboxColumn.ERROR);
    }

    /** Whether there is room for where a send failed and how long it took; older versions made no such columns. */
    boolean keepsAttemptDetails() {
        return attempts != null && attempts.column("node") != null && attempts.column("took_ms") != null;
    }

    static String label(OutboxColumn column) {
        return LABEL + column.name();
    }

    /** A row key as the database wants it. */
    Object keyValue(String rowKey) {
        return shapeOf(mapping().key()).numeric() ? (Object) Long.valueOf(rowKey) : rowKey;
    }

    /**
     * A row key without what its column does not tell apart: a uuid has neither case nor a fixed place for its dashes, and a
     * {@code char(n)} ends with as many blanks as it has room for. The database may give a key back in another spelling than
     * it was given.
     */
    String comparable(String rowKey) {
        return switch (keySpelling) {
            case UUID -> rowKey.replaceAll("[-{}]", "").toLowerCase(Locale.ROOT);
            case PADDED -> rowKey.stripTrailing();
            case EXACT -> rowKey;
        };
    }

    List<Object> keyValues(List<String> rowKeys) {
        return rowKeys.stream().map(this::keyValue).toList();
    }

    /** Fills in {@code {keyed}}. */
    SqlCall keyed(SqlCall call, List<String> rowKeys) {
        return dialect() == Dialect.POSTGRESQL
                ? call.set("keys", PostgreSqlArrays.keys(shapeOf(mapping().key()), keyValues(rowKeys)))
                : call.list("keys", keyValues(rowKeys));
    }

    /** A fence as the database wants it. */
    Object fenceValue(String fence) {
        return switch (mapping().fence()) {
            case TOKEN -> fence;
            case VERSION -> Long.valueOf(fence);
            case DUE -> times().wallClockValue(Long.parseLong(fence));
        };
    }

    /** The ranges that hold all due rows: one where an index begins with the due time, else one per status word. */
    List<DueRange> dueRanges() {
        String status = quoted(OutboxColumn.STATUS);
        List<String> conditions = new ArrayList<>();
        if (dueIndex(OutboxColumn.DUE) != null) {
            conditions.add(status + " IN (" + placeholders.get("claimable") + ")");
        } else {
            mapping().claimable().forEach(word -> conditions.add(status + " = " + literal(word)));
        }
        String due = quoted(OutboxColumn.DUE);
        String past = due + " <= " + times().now();
        boolean mayBeNull = shapeOf(OutboxColumn.DUE).nullable();
        List<DueRange> ranges = new ArrayList<>();
        for (String condition : conditions) {
            if (mayBeNull) {
                ranges.add(new DueRange(condition + " AND " + due + " IS NULL", true));
            }
            ranges.add(new DueRange(condition + " AND " + past, false));
        }
        return ranges;
    }

    /** The index that begins with these columns. */
    @Nullable String dueIndex(OutboxColumn... columns) {
        String[] names = new String[columns.length];
        for (int i = 0; i < columns.length; i++) {
            names[i] = shapeOf(columns[i]).name();
        }
        return shape().indexes().stream()
                .filter(index -> index.startsWith(names))
                .map(SqlTableMetadata.Index::name)
                .findFirst()
                .orElse(null);
    }

    /** The unique index that begins with the key. */
    @Nullable String keyIndex() {
        String key = shapeOf(mapping().key()).name();
        return shape().indexes().stream()
                .filter(index -> index.unique() && index.startsWith(key))
                .map(SqlTableMetadata.Index::name)
                .findFirst()
                .orElse(null);
    }

    /** A parameter for this column, cast where the driver would send a text that the column does not take. */
    String parameter(OutboxColumn column, String parameter) {
        SqlTableMetadata.Column shaped = shapeOf(column);
        if (dialect() == Dialect.POSTGRESQL && !PostgreSqlArrays.takesText(shaped) && !shaped.numeric()) {
            return "CAST(" + parameter + " AS " + shaped.typeName() + ")";
        }
        return dialect() == Dialect.H2 && shaped.json() ? parameter + " FORMAT JSON" : parameter;
    }
}
