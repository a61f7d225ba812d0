package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.RowArchive;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.Envelope;
import dev.waybill.store.DeadLetterStore.LetterSummary;
import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tables of dead letters and of decisions about them, with names as the database spells them. */
final class DeadLetterTable {

    private static final String ROW = """
            id, source, consumer_group, letter_key, message_id, headers, body, error, event_id, event_type, state, \
            {deadAt} AS dead_micros, {changedAt} AS changed_micros, replays""";

    private static final String SUMMARY = """
            id, source, consumer_group, event_id, event_type, error, state, {deadAt} AS dead_micros, replays""";

    private final Dialect dialect;
    private final SqlTableMetadata shape;
    private final SqlTimes times;
    private final Map<String, String> placeholders;
    private final OperatorAuditLog audit;
    private final String auditTable;

    private DeadLetterTable(Dialect dialect, SqlTableMetadata shape, SqlTableMetadata audit) {
        this.dialect = dialect;
        this.shape = shape;
        this.times = SqlTimes.of(dialect, false, SqlTimeZone.UTC);
        this.placeholders = Map.of(
                "table", shape.qualified(dialect),
                "row", ROW,
                "summary", SUMMARY,
                "deadAt", times.epochMicros("dead_at"),
                "changedAt", times.epochMicros("changed_at"),
                "now", times.now());
        this.auditTable = audit.qualified(dialect);
        this.audit = new OperatorAuditLog(auditTable, dialect);
    }

    /**
     * Looks the tables up.
     *
     * @throws StoreException MISCONFIGURED naming the table or column that is missing
     */
    static DeadLetterTable open(Connection connection) throws SQLException {
        Dialect dialect = Dialect.of(connection);
        String fix = "dev.waybill.jdbc.DdlTool --dialect " + dialect.key() + " --layout dead_letters prints its DDL";
        SqlTableMetadata letters = SqlTableMetadata.required(connection, JdbcDeadLetterStore.TABLE, fix);
        SqlTableMetadata audit = SqlTableMetadata.required(connection, OperatorAuditLog.TABLE, fix);
        if (audit.column("letter_id") == null) {
            throw SqlErrors.misconfigured("table " + OperatorAuditLog.TABLE
                    + " is from before there were dead letters: ALTER TABLE " + OperatorAuditLog.TABLE
                    + " ADD COLUMN letter_id BIGINT NULL");
        }
        return new DeadLetterTable(dialect, letters, audit);
    }

    String sql(String template) {
        return SqlText.fill(template, placeholders);
    }

    /** The same, with further words. */
    String sql(String template, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(placeholders);
        all.putAll(more);
        return SqlText.fill(template, all);
    }

    Dialect dialect() {
        return dialect;
    }

    SqlTimes times() {
        return times;
    }

    OperatorAuditLog audit() {
        return audit;
    }

    /** Deletes old letters of one state. */
    AgedRowSweeper sweeper(SqlConnections connections, @Nullable RowArchive archive) {
        return new AgedRowSweeper(
                connections,
                dialect,
                new AgedRowSweeper.Rows(sql("{table}"), "state", "changed_at", times.now()),
                archive);
    }

    AgedRowSweeper auditSweeper(SqlConnections connections, @Nullable RowArchive archive) {
        return OperatorAuditLog.sweeper(auditTable, connections, dialect, archive);
    }

    @Nullable String fit(String column, @Nullable String text) {
        return text == null ? null : SqlColumnText.fit(text, shapeOf(column), dialect);
    }

    /** A part of the key. One that does not fit is refused: if it were cut, two letters could have the same key. */
    String whole(String column, String text) {
        if (!text.equals(fit(column, text))) {
            throw new StoreException(
                    StoreException.Reason.VALUE,
                    column + " '" + text + "' does not fit into " + JdbcDeadLetterStore.TABLE,
                    null);
        }
        return text;
    }

    private SqlTableMetadata.Column shapeOf(String column) {
        SqlTableMetadata.Column found = shape.column(column);
        if (found == null) {
            throw SqlErrors.misconfigured("table " + JdbcDeadLetterStore.TABLE + " has no column " + column);
        }
        return found;
    }

    static List<StoredLetter> read(Connection connection, SqlCall call) throws SQLException {
        return call.query(connection, DeadLetterTable::stored);
    }

    static LetterSummary summary(ResultSet row) throws SQLException {
        return new LetterSummary(
                row.getLong("id"),
                row.getString("source"),
                row.getString("consumer_group"),
                row.getString("event_id"),
                row.getString("event_type"),
                row.getString("error"),
                State.valueOf(row.getString("state")),
                SqlTimes.instantOf(row.getLong("dead_micros")),
                row.getInt("replays"));
    }

    private static StoredLetter stored(ResultSet row) throws SQLException {
        DeadLetter letter = new DeadLetter(
                row.getString("letter_key"),
                row.getString("source"),
                row.getString("consumer_group"),
                row.getString("message_id"),
                Envelope.decodeHeaders(Objects.requireNonNull(row.getString("headers"))),
                row.getBytes("body"),
                row.getString("error"));
        return new StoredLetter(
                row.getLong("id"),
                letter,
                row.getString("event_id"),
                row.getString("event_type"),
                State.valueOf(row.getString("state")),
                SqlTimes.instantOf(row.getLong("dead_micros")),
                SqlTimes.instantOf(row.getLong("changed_micros")),
                row.getInt("replays"));
    }
}
