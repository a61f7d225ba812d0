package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for what would go wrong later, and says it in one sentence with the fix named. */
final class OutboxChecks {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxChecks.class);

    private static final String TRY_LOCK =
            "SELECT {key} FROM {table} WHERE {status} = {DEAD} AND 1 = 0 FOR UPDATE SKIP LOCKED";

    private OutboxChecks() {}

    static void check(Connection connection, OutboxTable table) throws SQLException {
        checkTypes(table);
        checkIndexes(table);
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
        SqlTableMetadata.Column due = table.shapeOf(OutboxColumn.DUE);
        boolean time = due.type() == Types.TIMESTAMP || due.type() == Types.TIMESTAMP_WITH_TIMEZONE;
        if (!time) {
            throw wrong(table, OutboxColumn.DUE, "a date and time");
        }
        if (!table.shapeOf(OutboxColumn.ATTEMPTS).numeric()) {
            throw wrong(table, OutboxColumn.ATTEMPTS, "a number");
        }
        if (table.has(OutboxColumn.VERSION)
                && !table.shapeOf(OutboxColumn.VERSION).numeric()) {
            throw wrong(table, OutboxColumn.VERSION, "a number");
        }
        if (table.has(OutboxColumn.KEY) && !table.shapeOf(OutboxColumn.KEY).numeric()) {
            throw wrong(table, OutboxColumn.KEY, "a number that the database makes");
        }
        if (table.has(OutboxColumn.TOKEN) && table.shapeOf(OutboxColumn.TOKEN).size() < 32) {
            throw wrong(table, OutboxColumn.TOKEN, "a text of at least 32 characters");
        }
        if (table.shapeOf(OutboxColumn.STATUS).numeric()) {
            checkNumbers(table);
        }
    }

    private static void checkNumbers(OutboxTable table) {
        for (OutboxState state : OutboxState.values()) {
            String word = table.mapping().word(state);
            if (word != null && !word.matches("-?[0-9]{1,9}")) {
                throw OutboxTable.misconfigured("column " + column(table, OutboxColumn.STATUS)
                        + " is a number, but the mapping's word for " + state + " is '" + word + "'");
            }
        }
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

    private static void checkOwnTable(Connection connection, OutboxTable table, String name, String what)
            throws SQLException {
        int dot = table.name().indexOf('.');
        if (SqlTableMetadata.read(connection, table.name().substring(0, dot + 1) + name) == null) {
            throw OutboxTable.misconfigured("table " + name + " is missing; it keeps " + what
                    + ". dev.waybill.jdbc.DdlTool --dialect " + table.dialect().key() + " --layout "
                    + table.mapping().layout() + " prints its DDL");
        }
    }

    private static RuntimeException wrong(OutboxTable table, OutboxColumn column, String wanted) {
        return OutboxTable.misconfigured("column " + column(table, column) + " should be " + wanted + ", is "
                + table.shapeOf(column).typeName());
    }

    private static String column(OutboxTable table, OutboxColumn column) {
        return table.name() + "." + table.shapeOf(column).name();
    }
}
