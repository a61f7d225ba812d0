package dev.waybill.jdbc;

import dev.waybill.store.ClaimedEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One UPDATE over many rows, each with a text and a delay of its own: an array join on PostgreSQL, a CASE elsewhere. All
 * rows share the fence.
 */
final class SqlKeyedUpdate {

    /** Rows of one statement whose texts are told apart by a CASE: four times as many would cost four times as much each. */
    private static final int LONGEST_CASE = 128;

    /** A row's part of the update. */
    record Entry(ClaimedEvent claimed, long ticks, @Nullable String text) {}

    private final OutboxTable table;
    private final String sql;
    private final String sqlWithoutTexts;
    private final boolean arrays;

    private SqlKeyedUpdate(OutboxTable table, String sql, String sqlWithoutTexts, boolean arrays) {
        this.table = table;
        this.sql = sql;
        this.sqlWithoutTexts = sqlWithoutTexts;
        this.arrays = arrays;
    }

    static SqlKeyedUpdate of(OutboxTable table, String template) {
        boolean arrays = table.dialect() == Dialect.POSTGRESQL;
        Map<String, String> words = new HashMap<>();
        SqlTimes times = table.times();
        if (arrays) {
            String keyType = PostgreSqlArrays.type(table.shapeOf(table.mapping().key()));
            String keys = PostgreSqlArrays.unseen(":keys", keyType);
            String ticks = PostgreSqlArrays.unseen(":ticks", "bigint");
            String texts = PostgreSqlArrays.unseen(":texts", "text");
            words.put(
                    "from",
                    "FROM unnest(" + keys + ", " + ticks + ", " + texts + ") AS given(row_key, row_ticks, row_text)");
            words.put("rows", "{key} = given.row_key");
            words.put("text", "given.row_text");
            words.put("delayEnd", times.plus(times.now(), "given.row_ticks"));
        } else {
            words.put("from", "");
            words.put("rows", "{key} IN (:keys)");
            words.put("text", "CASE {key} :texts END");
            words.put("delayEnd", times.plus(times.now(), "(CASE {key} :ticks END)"));
        }
        String sql = table.sql(template, words);
        words.remove("text");
        if (arrays && !template.contains("{delayEnd}")) {
            words.put("from", "");
            words.put("rows", "{keyed}"); // nothing that differs from row to row: no join
        }
        return new SqlKeyedUpdate(table, sql, table.sql(template, words), arrays);
    }

    /** How many of these rows one statement should take. A CASE is searched from its beginning, for every row. */
    int longest(List<Entry> entries) {
        boolean searched = !arrays && entries.stream().anyMatch(entry -> entry.text() != null);
        return searched ? LONGEST_CASE : SqlCall.LONGEST_LIST;
    }

    int run(Connection connection, List<Entry> entries) throws SQLException {
        List<Object> keys = table.keyValues(
                entries.stream().map(entry -> entry.claimed().rowKey()).toList());
        List<Long> ticks = entries.stream().map(Entry::ticks).toList();
        List<@Nullable String> texts = new ArrayList<>();
        entries.forEach(entry -> texts.add(entry.text()));
        boolean noTexts = texts.stream().allMatch(Objects::isNull);
        SqlCall call = new SqlCall(noTexts ? sqlWithoutTexts : sql)
                .set("fence", table.fenceValue(entries.get(0).claimed().fence()));
        if (arrays) {
            call.set("keys", PostgreSqlArrays.keys(table.shapeOf(table.mapping().key()), keys))
                    .set("ticks", PostgreSqlArrays.numbers(ticks))
                    .set("texts", PostgreSqlArrays.texts(texts)); // those that the statement does not name cost nothing
        } else {
            boolean typed = table.dialect() == Dialect.H2; // its CASE wants to know the type beforehand
            call.list("keys", keys);
            if (call.takes("ticks")) {
                call.cases("ticks", typed ? "CAST(? AS BIGINT)" : "?", keys, ticks);
            }
            if (call.takes("texts")) {
                call.cases("texts", typed ? "CAST(? AS VARCHAR)" : "?", keys, texts);
            }
        }
        return call.update(connection);
    }
}
