package dev.waybill.jdbc;

import dev.waybill.store.AlertStore;
import dev.waybill.store.StoreException.Reason;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Alerts in the table {@code waybill_alert}: one row for each condition that ever held. Each change is one conditional
 * statement, so that of many replicas that see the same thing the database lets exactly one change the row. All times are the
 * database's.
 */
public final class JdbcAlertStore implements AlertStore {

    static final String TABLE = "waybill_alert";

    private static final String SEEN = """
            UPDATE {table} SET seen_at = {now}
            WHERE scope = :scope AND alert_key = :key AND step >= :step""";

    private static final String RAISE_AGAIN = """
            UPDATE {table}
            SET step = :step, detail = :detail, raised_at = {now}, seen_at = {now}, cleared_at = NULL
            WHERE scope = :scope AND alert_key = :key AND step = 0""";

    private static final String ESCALATE = """
            UPDATE {table} SET step = :step, detail = :detail, seen_at = {now}
            WHERE scope = :scope AND alert_key = :key AND step > 0 AND step < :step""";

    private static final String RAISE = """
            INSERT INTO {table} (scope, alert_key, rule_name, step, detail, raised_at, seen_at)
            VALUES (:scope, :key, :rule, :step, :detail, {now}, {now})""";

    private static final String UNLESS_THERE = " ON CONFLICT DO NOTHING";

    private static final String UNSEEN = """
            SELECT alert_key, rule_name, step, detail FROM {table}
            WHERE scope = :scope AND step > 0 AND {quietSince} < {now}""";

    private static final String CLEAR = """
            UPDATE {table} SET step = 0, cleared_at = {now}
            WHERE scope = :scope AND alert_key = :key AND step > 0 AND {quietSince} < {now}""";

    private static final String LIST = """
            SELECT alert_key, rule_name, step, detail, {raisedAt} AS raised_micros, {clearedAt} AS cleared_micros
            FROM {table} WHERE scope = :scope ORDER BY raised_at DESC, alert_key LIMIT :limit""";

    private final SqlConnections connections;
    private volatile @Nullable Table table;

    /** Connects to nothing yet. */
    public JdbcAlertStore(DataSource dataSource) {
        this.connections = new SqlConnections(dataSource);
    }

    /** Checks the table, so that a mistake shows at start-up with the fix named. */
    public void verify() {
        table = null; // it may have been repaired since
        list("", 1);
    }

    @Override
    public Change holds(String scope, Condition condition) {
        if (update(SEEN, scope, condition)) {
            return Change.NOTHING;
        }
        if (update(RAISE_AGAIN, scope, condition)) {
            return Change.RAISED;
        }
        if (update(ESCALATE, scope, condition)) {
            return Change.ESCALATED;
        }
        return insert(scope, condition) ? Change.RAISED : Change.NOTHING;
    }

    /** A statement of its own each: after one that fails, PostgreSQL's transaction would take no other. */
    private boolean update(String verb, String scope, Condition condition) {
        Table known = table();
        SqlCall call = known.call(verb, scope, condition);
        return connections.once("alert", TABLE, known.dialect(), call::update) > 0;
    }

    private boolean insert(String scope, Condition condition) {
        Table known = table();
        SqlCall raise =
                known.call(known.dialect() == Dialect.POSTGRESQL ? RAISE + UNLESS_THERE : RAISE, scope, condition);
        return connections.once("alert", TABLE, known.dialect(), connection -> {
            try {
                return raise.update(connection) > 0;
            } catch (SQLException e) {
                if (SqlErrors.reason(e) == Reason.DUPLICATE) {
                    return false; // another replica was quicker
                }
                throw e;
            }
        });
    }

    @Override
    public List<Condition> unseen(String scope, Duration quiet) {
        Table known = table();
        SqlCall look = known.call(UNSEEN, scope).set("quiet", known.ticks(quiet));
        return connections.once(
                "clear", TABLE, known.dialect(), connection -> look.query(connection, JdbcAlertStore::condition));
    }

    @Override
    public boolean clear(String scope, Condition unseen, Duration quiet) {
        Table known = table();
        SqlCall clear = known.call(CLEAR, scope)
                .set("key", unseen.key())
                .set("quiet", known.ticks(quiet)); // a key as it is stored
        return connections.once("clear", TABLE, known.dialect(), clear::update) > 0;
    }

    @Override
    public List<StoredAlert> list(String scope, int limit) {
        Table known = table();
        SqlCall list = known.call(LIST, scope).set("limit", (long) limit);
        return connections.once(
                "list",
                TABLE,
                known.dialect(),
                connection -> list.query(connection, row -> {
                    Instant raisedAt = SqlTimes.instantOf(row.getLong("raised_micros"));
                    long cleared = row.getLong("cleared_micros");
                    Instant clearedAt =
                            row.wasNull() ? null : SqlTimes.instantOf(cleared); // asked before the next column is read
                    return new StoredAlert(condition(row), raisedAt, clearedAt);
                }));
    }

    /** What was cleared has no step any more; at least the first it had. */
    private static Condition condition(ResultSet row) throws SQLException {
        return new Condition(
                row.getString("alert_key"),
                row.getString("rule_name"),
                Math.max(1, row.getInt("step")),
                row.getString("detail"));
    }

    private Table table() {
        Table known = table;
        if (known == null) {
            known = connections.borrow("look up", TABLE, connection -> {
                Dialect dialect = Dialect.of(connection);
                return new Table(
                        dialect,
                        SqlTableMetadata.required(
                                connection,
                                TABLE,
                                "dev.waybill.jdbc.DdlTool --dialect " + dialect.key()
                                        + " --layout alerts prints its DDL"));
            });
            table = known;
        }
        return known;
    }

    private record Table(Dialect dialect, SqlTableMetadata shape) {

        SqlTimes times() {
            return SqlTimes.of(dialect, false, SqlTimeZone.UTC);
        }

        long ticks(Duration duration) {
            return times().ticks(duration);
        }

        String sql(String template) {
            return SqlText.fill(
                    template,
                    Map.of(
                            "table", shape.qualified(dialect),
                            "now", times().now(),
                            "quietSince", times().plus("seen_at", ":quiet"),
                            "raisedAt", times().epochMicros("raised_at"),
                            "clearedAt", times().epochMicros("cleared_at")));
        }

        SqlCall call(String verb, String scope) {
            return new SqlCall(sql(verb)).set("scope", fit("scope", scope));
        }

        /** Keys that do not fit are cut: two conditions that differ only behind column's end are one. */
        SqlCall call(String verb, String scope, Condition condition) {
            SqlCall call = call(verb, scope)
                    .set("key", fit("alert_key", condition.key()))
                    .set("step", (long) condition.step());
            if (call.takes("rule")) {
                call.set("rule", fit("rule_name", condition.rule()));
            }
            if (call.takes("detail")) {
                call.set("detail", fit("detail", condition.detail()));
            }
            return call;
        }

        private String fit(String column, String text) {
            SqlTableMetadata.Column found = shape.column(column);
            if (found == null) {
                throw SqlErrors.misconfigured("table " + TABLE + " has no column " + column);
            }
            return SqlColumnText.fit(text, found, dialect);
        }
    }
}
