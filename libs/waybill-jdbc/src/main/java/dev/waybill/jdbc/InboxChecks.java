package dev.waybill.jdbc;

import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Looks for what would go wrong later, and says it in one sentence with the fix named. */
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
            throw OutboxTable.misconfigured("group '" + group + "' does not fit into "
                    + column(table, InboxColumn.GROUP) + ": choose a shorter name, or widen the column");
        }
        if (table.mapping().oneConsumerPerEvent() && table.has(InboxColumn.GROUP)) {
            checkSingleGroup(connection, table, group);
        }
    }

    private static void checkTypes(InboxTable table) {
        SqlTableMetadata.Column age = table.shapeOf(table.mapping().age());
        if (age.type() != Types.TIMESTAMP && age.type() != Types.TIMESTAMP_WITH_TIMEZONE) {
            throw OutboxTable.misconfigured("column "
                    + column(table, table.mapping().age()) + " should be a date and time, is " + age.typeName());
        }
        for (InboxColumn number : List.of(InboxColumn.ATTEMPTS, InboxColumn.COST_MS)) {
            if (table.has(number) && !table.shapeOf(number).numeric()) {
                throw OutboxTable.misconfigured("column " + column(table, number) + " should be a number, is "
                        + table.shapeOf(number).typeName());
            }
        }
        if (table.has(InboxColumn.STATUS) && table.shapeOf(InboxColumn.STATUS).numeric()) {
            for (InboxState state : InboxState.values()) {
                String word = table.mapping().word(state);
                if (word != null && !word.matches("-?[0-9]{1,9}")) {
                    throw OutboxTable.misconfigured("column " + column(table, InboxColumn.STATUS)
                            + " is a number, but the mapping's word for " + state + " is '" + word + "'");
                }
            }
        }
    }

    /** Without the key every repeat would be a first time. */
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
            throw OutboxTable.misconfigured("table " + table.name() + " has no unique key on (" + columns
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
        return OutboxTable.misconfigured("table " + table.name() + " keeps one consumer per event and belongs to group "
                + first + ": give group " + second + " a consume log of its own, such as the layout waybill, or let "
                + "both use the one name");
    }

    private static String column(InboxTable table, InboxColumn column) {
        return table.name() + "." + table.shapeOf(column).name();
    }
}
