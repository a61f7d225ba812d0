package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds mistakes in the table at start-up that would fail later, and names the fix of each in one sentence. */
final class OutboxChecks {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxChecks.class);

    private static final String TRY_LOCK =
            "SELECT {key} FROM {table} WHERE {status} = {DEAD} AND 1 = 0 FOR UPDATE SKIP LOCKED";

    /** How the year's months are apart from UTC in the session's time zone; more than one answer is summer time. */
    private static final String OFFSETS =
            "SELECT COUNT(DISTINCT UNIX_TIMESTAMP(d) - TIMESTAMPDIFF(SECOND, '1970-01-01', d))" + " FROM ("
                    + daysOfTheYear() + ") days";

    private OutboxChecks() {}

    private static String daysOfTheYear() {
        return IntStream.rangeClosed(0, 11)
                .mapToObj(month -> "SELECT MAKEDATE(YEAR(NOW()), 1) + INTERVAL " + month + " MONTH AS d")
                .collect(Collectors.joining(" UNION ALL "));
    }

    static void check(Connection connection, OutboxTable table) throws SQLException {
        checkTypes(table);
        checkIndexes(table);
        checkSummerTime(connection, table);
        checkOwnTable(connection, table, OperatorAuditLog.TABLE, "decisions about dead events");
        if (!table.has(OutboxColumn.ERROR)) {
            checkOwnTable(
                    connection, table, OutboxAttemptLog.TABLE, "errors, for which " + table.name() + " has no column");
        }
        new SqlCall(table.sql(TRY_LOCK)).query(connection, row -> row.getString(1));
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
    }

    private static void checkTypes(OutboxTable table) {
        SqlChecks<OutboxColumn> checks = new SqlChecks<>(table);
        checks.isTime(OutboxColumn.DUE);
        checks.isNumber(OutboxColumn.ATTEMPTS, "a number");
        checks.isNumber(OutboxColumn.VERSION, "a number");
        checks.isNumber(OutboxColumn.KEY, "a number that the database makes");
        checks.check(
                OutboxColumn.TOKEN,
                !table.has(OutboxColumn.TOKEN)
                        || table.shapeOf(OutboxColumn.TOKEN).size() >= 32,
                "a text of at least 32 characters");
        checks.haveNumbers(table.mapping(), EnumSet.allOf(OutboxState.class));
    }

    private static void checkIndexes(OutboxTable table) {
        boolean due = table.dueIndex(OutboxColumn.DUE) != null
                || table.dueIndex(OutboxColumn.STATUS, OutboxColumn.DUE) != null;
        if (!due) {
            LOG.warn(
                    "[OutboxStore] verify: table={} has no index on ({}, {}); every claim reads the whole table",
                    table.name(),
                    table.shapeOf(OutboxColumn.STATUS).name(),
                    table.shapeOf(OutboxColumn.DUE).name());
        }
        if (table.keyIndex() == null) {
            LOG.warn(
                    "[OutboxStore] verify: table={} has no unique index on {}; every settlement reads the whole table",
                    table.name(),
                    table.shapeOf(table.mapping().key()).name());
        }
    }

    /** What a clock showed twice in autumn cannot be told apart later, neither by us nor by anybody else. */
    private static void checkSummerTime(Connection connection, OutboxTable table) throws SQLException {
        boolean local = table.dialect().isMySqlFamily() && table.mapping().timeZone() == SqlTimeZone.SESSION;
        if (local
                && new SqlCall(OFFSETS).query(connection, row -> row.getInt(1)).get(0) > 1) {
            LOG.warn(
                    "[OutboxStore] verify: table={} keeps times of the session's time zone, which has summer time: when clocks"
                            + " go back, rows that wait then may wait an hour longer; when they go forward, leases end early."
                            + " Give every session that writes to it a fixed offset, such as SET time_zone = '+01:00'",
                    table.name());
        }
    }

    private static void checkOwnTable(Connection connection, OutboxTable table, String name, String what)
            throws SQLException {
        int dot = table.name().indexOf('.');
        if (SqlTableMetadata.read(connection, table.name().substring(0, dot + 1) + name) == null) {
            throw SqlErrors.misconfigured("table " + name + " is missing; it keeps " + what
                    + ". dev.waybill.jdbc.DdlTool --dialect " + table.dialect().key() + " --layout "
                    + table.mapping().layout() + " prints its DDL");
        }
    }
}
