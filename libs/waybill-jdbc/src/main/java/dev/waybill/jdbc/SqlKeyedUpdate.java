package dev.waybill.jdbc;

import dev.waybill.jdbc.OutboxFenceGroups.Group;
import dev.waybill.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One UPDATE over many rows, each with a text and a delay of its own: an array join on PostgreSQL, a CASE elsewhere. All
 * rows share the fence.
 */
final class SqlKeyedUpdate {

    /** Rows of one statement whose texts are told apart by a CASE; up to here each row costs about the same. */
    private static final int LONGEST_CASE = 512;

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
        Map<String, String> placeholders = new HashMap<>();
        SqlTimes times = table.times();
        if (arrays) {
            String keyType = PostgreSqlArrays.type(table.shapeOf(table.mapping().key()));
            String keys = PostgreSqlArrays.unseen(":keys", keyType);
            String ticks = PostgreSqlArrays.unseen(":ticks", "bigint");
            String texts = PostgreSqlArrays.unseen(":texts", "text");
            placeholders.put(
                    "from",
                    "FROM unnest(" + keys + ", " + ticks + ", " + texts + ") AS given(row_key, row_ticks, row_text)");
            placeholders.put("rows", "{key} = given.row_key");
            placeholders.put("text", "given.row_text");
            placeholders.put("delayEnd", times.plus(times.now(), "given.row_ticks"));
        } else {
            placeholders.put("from", "");
            placeholders.put("rows", "{key} IN (:keys)");
            placeholders.put("text", "CASE {key} :texts END");
            placeholders.put("delayEnd", times.plus(times.now(), "(CASE {key} :ticks END)"));
        }
        String sql = table.sql(template, placeholders);
        placeholders.remove("text");
        if (arrays && !template.contains("{delayEnd}")) {
            placeholders.put("from", "");
            placeholders.put("rows", "{keyed}"); // every row gets the same values, so that no join is needed
        }
        return new SqlKeyedUpdate(table, sql, table.sql(template, placeholders), arrays);
    }

    /** How many of these rows one statement should take. A CASE is searched from its beginning, for every row. */
    int longest(List<Settlement> settlements, Function<Settlement, @Nullable String> text) {
        boolean searched = !arrays && settlements.stream().anyMatch(settlement -> text.apply(settlement) != null);
        return searched ? LONGEST_CASE : SqlCall.LONGEST_LIST;
    }

    /** Writes one group of rows; each gets its own delay and its own text. */
    int run(Connection connection, Group<Settlement> group, Function<Settlement, @Nullable String> text)
            throws SQLException {
        List<Settlement> settlements = group.items();
        List<Object> keys = table.keyValues(settlements.stream()
                .map(settlement -> settlement.row().rowKey())
                .toList());
        List<Long> ticks = settlements.stream()
                .map(settlement -> table.times().ticks(delay(settlement)))
                .toList();
        List<@Nullable String> texts = new ArrayList<>();
        settlements.forEach(settlement -> texts.add(text.apply(settlement)));
        boolean noTexts = texts.stream().allMatch(Objects::isNull);
        SqlCall call = new SqlCall(noTexts ? sqlWithoutTexts : sql).set("fence", table.fenceValue(group.fence()));
        if (arrays) {
            call.set("keys", PostgreSqlArrays.keys(table.shapeOf(table.mapping().key()), keys))
                    .set("ticks", PostgreSqlArrays.numbers(ticks))
                    .set(
                            "texts",
                            PostgreSqlArrays.texts(texts)); // parameters that the statement does not name are not sent
        } else {
            boolean typed = table.dialect() == Dialect.H2; // H2 needs the type of each value in a CASE
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

    private static Duration delay(Settlement settlement) {
        if (settlement instanceof Settlement.Retry retry) {
            return retry.delay();
        }
        return settlement instanceof Settlement.Released released ? released.delay() : Duration.ZERO;
    }
}
