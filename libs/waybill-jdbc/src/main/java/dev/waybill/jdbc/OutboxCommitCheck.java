package dev.waybill.jdbc;

import dev.waybill.store.ClaimedEvent;
import java.util.ArrayList;
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
            found.addAll(connections.borrow("check", table.name(), connection -> {
                List<String> rows = new ArrayList<>(
                        table.keyed(new SqlCall(look), some).query(connection, row -> row.getString(1)));
                if (!connection.getAutoCommit()) {
                    connection.commit();
                }
                return rows;
            }));
        }
        return appended.stream().filter(event -> found.contains(event.rowKey())).toList();
    }
}
