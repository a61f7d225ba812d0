package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds mistakes in the table at start-up that would fail later, and names the fix of each in one sentence. */
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
