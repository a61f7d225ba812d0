package dev.waybill.jdbc;

import dev.waybill.store.ClaimedEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds out which appended rows have committed. */
final class OutboxCommitCheck {

    private static final String LOOK = "SELECT {key} FROM {table} {byKey} WHERE {keyed}";

    private final OutboxTable table;
    private final SqlConnections connections;
    private final String look;

    OutboxCommitCheck(OutboxTable table, SqlConnections connections) {
        this.table = table;
        this.connections = connections;
        this.look = table.sql(LOOK);
    }

    List<ClaimedEvent> committed(List<ClaimedEvent> appended) {
        Set<String> found = new HashSet<>();
        List<String> keys = appended.stream().map(ClaimedEvent::rowKey).toList();
        for (int from = 0; from < keys.size(); from += SqlCall.LONGEST_LIST) {
            List<String> some = keys.subList(from, Math.min(keys.size(), from + SqlCall.LONGEST_LIST));
            found.addAll(connections.borrow("check", table.name(), connection -> look(connection, some)));
        }
        return appended.stream()
                .filter(event -> found.contains(table.comparable(event.rowKey())))
                .toList();
    }

    /** At every isolation level, a snapshot that is taken after the commit has what was committed. */
    private List<String> look(Connection connection, List<String> keys) throws SQLException {
        boolean needsRollback = !connection.getAutoCommit();
        if (needsRollback) {
            connection.rollback(); // the pool's test of the connection may have taken a snapshot
        }
        List<String> found =
                table.keyed(new SqlCall(look), keys).query(connection, row -> table.comparable(row.getString(1)));
        if (needsRollback) {
            connection.rollback();
        }
        return found;
    }
}
