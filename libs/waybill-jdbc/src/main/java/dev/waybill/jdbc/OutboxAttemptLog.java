package dev.waybill.jdbc;

import dev.waybill.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Keeps the errors of tables that have no column for them, in {@code waybill_attempt}. Written on failures only. */
final class OutboxAttemptLog {

    static final String TABLE = "waybill_attempt";

    private static final String WRITE =
            "INSERT INTO {attemptTable} (outbox_table, event_id, attempt, error, failed_at) VALUES :rows";

    private static final String LAST_ERRORS = """
            SELECT event_id, error FROM {attemptTable}
            WHERE outbox_table = :table AND event_id IN (:ids)
            ORDER BY id""";

    private static final SqlTableMetadata.Column ERROR =
            new SqlTableMetadata.Column("error", Types.VARCHAR, "varchar", 2_000, true);

    private final OutboxTable table;
    private final String write;
    private final String lastErrors;

    OutboxAttemptLog(OutboxTable table) {
        this.table = table;
        this.write = table.sql(WRITE);
        this.lastErrors = table.sql(LAST_ERRORS);
    }

    static String fit(String error, Dialect dialect) {
        return SqlColumnText.fit(error, ERROR, dialect);
    }

    void write(Connection connection, List<Settlement> failures, Function<Settlement, @Nullable String> error)
            throws SQLException {
        List<String> rows = new ArrayList<>();
        List<@Nullable Object> values = new ArrayList<>();
        for (Settlement failure : failures) {
            rows.add("(?, ?, ?, ?, CURRENT_TIMESTAMP)");
            values.add(table.name());
            values.add(failure.row().eventId());
            values.add((long) failure.row().attempts() + 1);
            values.add(error.apply(failure));
        }
        new SqlCall(write).part("rows", String.join(", ", rows), values).update(connection);
    }

    /** The last error of each of these events that has one. */
    Map<String, String> lastErrors(Connection connection, List<String> eventIds) throws SQLException {
        Map<String, String> errors = new HashMap<>();
        for (int from = 0; from < eventIds.size(); from += SqlCall.LONGEST_LIST) {
            new SqlCall(lastErrors)
                    .set("table", table.name())
                    .list("ids", eventIds.subList(from, Math.min(eventIds.size(), from + SqlCall.LONGEST_LIST)))
                    .query(connection, row -> errors.put(row.getString(1), row.getString(2)));
        }
        return errors;
    }
}
