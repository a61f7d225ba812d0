package dev.waybill.jdbc;

import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds mistakes in the table at start-up that would fail later, and names the fix of each in one sentence. */
final class InboxChecks {

    private static final List<String> NEEDED = List.of(
            "INSERT INTO {table} ({columns}[, {status}]) SELECT {columns}[, {status}] FROM {table} WHERE 1 = 0",
            "UPDATE {table} SET {eventId} = {eventId} WHERE 1 = 0",
            "DELETE FROM {table} WHERE 1 = 0");

    private static final String ANOTHER_GROUP = "SELECT {group} FROM {table} WHERE {group} <> :group LIMIT 1";

    private InboxChecks() {}

    static void check(Connection connection, InboxTable table, String group) throws SQLException {
        checkTypes(table);
        checkKey(table);
        checkPrivileges(connection, table);
        if (table.has(InboxColumn.GROUP) && !table.fit(InboxColumn.GROUP, group).equals(group)) {
            throw SqlErrors.misconfigured("group '" + group + "' does not fit into "
                    + new SqlChecks<>(table).name(InboxColumn.GROUP) + ": choose a shorter name, or widen the column");
        }
        if (table.mapping().oneConsumerPerEvent() && table.has(InboxColumn.GROUP)) {
            checkSingleGroup(connection, table, group);
        }
    }

    private static void checkTypes(InboxTable table) {
        SqlChecks<InboxColumn> checks = new SqlChecks<>(table);
        checks.isTime(table.mapping().age());
        checks.isNumber(InboxColumn.ATTEMPTS, "a number");
        checks.isNumber(InboxColumn.COST_MS, "a number");
        checks.haveNumbers(table.mapping(), EnumSet.allOf(InboxState.class));
    }

    /** Without the unique key every repeat of an event would be handled like a new one. */
    private static void checkKey(InboxTable table) {
        Set<String> wanted = table.mapping().key().stream()
                .map(column -> table.shapeOf(column).name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        boolean there = table.shape().indexes().stream()
                .anyMatch(index -> index.unique()
                        && index.columns().stream()
                                .map(name -> name.toLowerCase(Locale.ROOT))
                                .collect(Collectors.toSet())
                                .equals(wanted));
        if (!there) {
            String columns = table.mapping().key().stream().map(table::quoted).collect(Collectors.joining(", "));
            throw SqlErrors.misconfigured("table " + table.name() + " has no unique key on (" + columns
                    + "), without which events would be handled twice: ALTER TABLE " + table.name() + " ADD UNIQUE ("
                    + columns + ")");
        }
    }

    private static void checkPrivileges(Connection connection, InboxTable table) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        if (autoCommit) {
            connection.setAutoCommit(false);
        }
        try (Statement statement = connection.createStatement()) {
            for (String template : NEEDED) {
                statement.executeUpdate(table.sql(template));
            }
        } catch (SQLException e) {
            if (SqlErrors.reason(e) != Reason.MISCONFIGURED) {
                throw e;
            }
            throw new StoreException(
                    Reason.MISCONFIGURED,
                    "the inbox needs SELECT, INSERT, UPDATE and DELETE on " + table.name() + ": GRANT them; "
                            + e.getMessage(),
                    e);
        } finally {
            connection.rollback();
            if (autoCommit) {
                connection.setAutoCommit(true);
            }
        }
    }

    private static void checkSingleGroup(Connection connection, InboxTable table, String group) throws SQLException {
        List<String> others =
                new SqlCall(table.sql(ANOTHER_GROUP)).set("group", group).query(connection, row -> row.getString(1));
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        if (!others.isEmpty()) {
            throw secondGroup(table, others.get(0), group);
        }
    }

    static RuntimeException secondGroup(InboxTable table, String first, String second) {
        return SqlErrors.misconfigured("table " + table.name() + " has one consumer per event and belongs to group "
                + first + ": give group " + second + " a consume log of its own, such as the layout waybill, or let "
                + "both use the one name");
    }
}
