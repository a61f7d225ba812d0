package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.RowArchive;
import dev.waybill.store.JobStore.NewJob;
import dev.waybill.store.JobStore.State;
import dev.waybill.store.JobStore.StoredJob;
import dev.waybill.store.OperatorDecision;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of jobs and of their subjects, with names as the database spells them. */
final class JobTable {

    static final String JOBS = "waybill_job";
    static final String ITEMS = "waybill_job_item";

    private static final String ROW = """
            id, scope, kind, terms, per_second, actor, reason, state, total, done, refused, note, fence, \
            {createdAt} AS created_micros, {changedAt} AS changed_micros""";

    private final Dialect dialect;
    private final SqlTableMetadata jobs;
    private final SqlTableMetadata items;
    private final SqlTimes times;
    private final Map<String, String> placeholders;
    private final OperatorAuditLog audit;
    private final String auditTable;

    private JobTable(Dialect dialect, SqlTableMetadata jobs, SqlTableMetadata items, SqlTableMetadata audit) {
        this.dialect = dialect;
        this.jobs = jobs;
        this.items = items;
        this.times = SqlTimes.of(dialect, false, SqlTimeZone.UTC);
        this.auditTable = audit.qualified(dialect);
        this.audit = new OperatorAuditLog(auditTable, dialect);
        this.placeholders = placeholders();
    }

    private Map<String, String> placeholders() {
        Map<String, String> words = new HashMap<>();
        words.put("jobs", jobs.qualified(dialect));
        words.put("items", items.qualified(dialect));
        words.put("now", times.now());
        words.put("leaseEnd", times.plus(times.now(), ":lease"));
        words.put("then", times.plus(times.now(), ":age"));
        words.put("createdAt", times.epochMicros("created_at"));
        words.put("changedAt", times.epochMicros("changed_at"));
        words.put("row", ROW);
        return words;
    }

    /**
     * Looks the tables up.
     *
     * @throws dev.waybill.store.StoreException MISCONFIGURED naming the table that is missing
     */
    static JobTable open(Connection connection) throws SQLException {
        Dialect dialect = Dialect.of(connection);
        String fix = "dev.waybill.jdbc.DdlTool --dialect " + dialect.key() + " --layout jobs prints its DDL";
        return new JobTable(
                dialect,
                SqlTableMetadata.required(connection, JOBS, fix),
                SqlTableMetadata.required(connection, ITEMS, fix),
                SqlTableMetadata.required(connection, OperatorAuditLog.TABLE, fix));
    }

    Dialect dialect() {
        return dialect;
    }

    String sql(String template) {
        return SqlText.fill(template, placeholders);
    }

    long ticks(Duration duration) {
        return times.ticks(duration);
    }

    OperatorAuditLog audit() {
        return audit;
    }

    AgedRowSweeper auditSweeper(SqlConnections connections, @Nullable RowArchive archive) {
        return OperatorAuditLog.sweeper(auditTable, connections, dialect, archive);
    }

    @Nullable String fitJob(String column, @Nullable String text) {
        return fit(jobs, column, text);
    }

    @Nullable String fitItem(String column, @Nullable String text) {
        return fit(items, column, text);
    }

    private @Nullable String fit(SqlTableMetadata table, String column, @Nullable String text) {
        SqlTableMetadata.Column found = table.column(column);
        if (found == null) {
            throw SqlErrors.misconfigured("table " + table.name() + " has no column " + column);
        }
        return text == null ? null : SqlColumnText.fit(text, found, dialect);
    }

    /** A row, with its fence behind it. */
    record JobRow(StoredJob job, long fence) {

        static JobRow read(ResultSet row) throws SQLException {
            NewJob asked = new NewJob(
                    row.getString("scope"),
                    row.getString("kind"),
                    row.getString("terms"),
                    row.getInt("per_second"),
                    new OperatorDecision(row.getString("actor"), row.getString("reason")));
            return new JobRow(
                    new StoredJob(
                            row.getLong("id"),
                            asked,
                            State.valueOf(row.getString("state")),
                            row.getLong("total"),
                            row.getLong("done"),
                            row.getLong("refused"),
                            row.getString("note"),
                            SqlTimes.instantOf(row.getLong("created_micros")),
                            SqlTimes.instantOf(row.getLong("changed_micros"))),
                    row.getLong("fence"));
        }
    }
}
