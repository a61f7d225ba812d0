package dev.waybill.jdbc;

import dev.waybill.store.FailedAttempt;
import dev.waybill.store.Settlement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The sends that failed, in {@code waybill_attempt}: when, where, after how long and with which error. Written on failures only.
 * A table that has no column for errors has them here alone.
 */
final class OutboxAttemptLog {

    static final String TABLE = "waybill_attempt";

    private static final String WRITE = """
            INSERT INTO {attemptTable} (outbox_table, event_id, attempt, error, failed_at[, {node}, {took}])
            VALUES :rows""";

    private static final String LAST_ERRORS = """
            SELECT event_id, error FROM {attemptTable}
            WHERE outbox_table = :table AND event_id IN (:ids)
            ORDER BY id""";

    private static final String ROW = """
            SELECT event_id, attempt, error, {failedMicros}[, {node}, {took}] FROM {attemptTable}
            """;

    private static final String OF_EVENT = ROW + """
            WHERE event_id = :id AND outbox_table = :table
            ORDER BY id DESC
            LIMIT :limit""";

    private static final String LATEST = ROW + """
            WHERE outbox_table = :table
            ORDER BY id DESC
            LIMIT :limit""";

    private static final SqlTableMetadata.Column ERROR =
            new SqlTableMetadata.Column("error", Types.VARCHAR, "varchar", 2_000, true);
    private static final SqlTableMetadata.Column NODE =
            new SqlTableMetadata.Column("node", Types.VARCHAR, "varchar", 128, true);

    private final OutboxTable table;
    private final String node;
    private final String write;

    OutboxAttemptLog(OutboxTable table, String node) {
        this.table = table;
        this.node = SqlColumnText.fit(node, NODE, table.dialect());
        this.write = sql(WRITE);
    }

    /** What the table of attempts beside an outbox looks like; null when there is none. */
    static @Nullable SqlTableMetadata lookUp(Connection connection, OutboxMapping mapping) throws SQLException {
        int dot = mapping.table().indexOf('.');
        if (dot >= 0 || Dialect.of(connection).isMySqlFamily()) {
            return SqlTableMetadata.read(connection, mapping.table().substring(0, dot + 1) + TABLE);
        }
        String schema = connection.getSchema(); // another schema's table is not the one that statements find
        return schema == null ? null : SqlTableMetadata.read(connection, schema + "." + TABLE);
    }

    static String fit(String error, Dialect dialect) {
        return SqlColumnText.fit(error, ERROR, dialect);
    }

    /** Why a send failed; null for one that did not. */
    static @Nullable String error(Settlement settlement) {
        if (settlement instanceof Settlement.Retry retry) {
            return retry.error();
        }
        return settlement instanceof Settlement.Dead dead ? dead.error() : null;
    }

    private static @Nullable Duration took(Settlement settlement) {
        if (settlement instanceof Settlement.Retry retry) {
            return retry.took();
        }
        return settlement instanceof Settlement.Dead dead ? dead.took() : null;
    }

    private String sql(String template) {
        SqlTimes times = SqlTimes.of(table.dialect(), false, SqlTimeZone.SESSION);
        Map<String, String> placeholders = new HashMap<>();
        placeholders.put("failedMicros", times.epochMicros("failed_at"));
        if (table.keepsAttemptDetails()) {
            placeholders.put("node", "node");
            placeholders.put("took", "took_ms");
        }
        return table.sql(template, placeholders);
    }

    void write(Connection connection, List<Settlement> failures, UnaryOperator<String> spelling) throws SQLException {
        String details = !table.keepsAttemptDetails()
                ? ")"
                : table.dialect() == Dialect.POSTGRESQL ? ", ?, CAST(? AS bigint))" : ", ?, ?)";
        List<String> rows = new ArrayList<>();
        List<@Nullable Object> values = new ArrayList<>();
        for (Settlement failure : failures) {
            String error = error(failure);
            rows.add("(?, ?, ?, ?, CURRENT_TIMESTAMP(3)" + details);
            values.add(table.name());
            values.add(failure.row().eventId());
            values.add((long) failure.row().attempts() + 1);
            values.add(error == null ? null : spelling.apply(fit(error, table.dialect())));
            if (table.keepsAttemptDetails()) {
                Duration took = took(failure);
                values.add(node);
                values.add(took == null ? null : (Object) took.toMillis());
            }
        }
        new SqlCall(write).part("rows", String.join(", ", rows), values).update(connection);
    }

    /** The last error of each of these events that has one. */
    Map<String, String> lastErrors(Connection connection, List<String> eventIds) throws SQLException {
        Map<String, String> errors = new HashMap<>();
        for (int from = 0; from < eventIds.size(); from += SqlCall.LONGEST_LIST) {
            new SqlCall(sql(LAST_ERRORS))
                    .set("table", table.name())
                    .list("ids", eventIds.subList(from, Math.min(eventIds.size(), from + SqlCall.LONGEST_LIST)))
                    .query(connection, row -> errors.put(row.getString(1), row.getString(2)));
        }
        return errors;
    }

    /** Latest first. */
    List<FailedAttempt> ofEvent(Connection connection, String eventId, int limit) throws SQLException {
        return new SqlCall(sql(OF_EVENT))
                .set("id", eventId)
                .set("table", table.name())
                .set("limit", (long) limit)
                .query(connection, this::read);
    }

    /** Latest first. */
    List<FailedAttempt> latest(Connection connection, int limit) throws SQLException {
        return new SqlCall(sql(LATEST))
                .set("table", table.name())
                .set("limit", (long) limit)
                .query(connection, this::read);
    }

    private FailedAttempt read(ResultSet row) throws SQLException {
        String sentBy = table.keepsAttemptDetails() ? row.getString(5) : null;
        long millis = table.keepsAttemptDetails() ? row.getLong(6) : 0;
        boolean timed = table.keepsAttemptDetails() && !row.wasNull();
        return new FailedAttempt(
                row.getString(1),
                row.getInt(2),
                row.getString(3),
                SqlTimes.instantOf(row.getLong(4)),
                sentBy,
                timed ? Duration.ofMillis(millis) : null);
    }
}
