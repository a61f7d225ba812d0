package dev.waybill.jdbc;

import dev.waybill.jdbc.OutboxFenceGroups.Group;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Finds out which rows are still claimed, and renews their leases. */
final class OutboxLeaseRenewer {

    static final String LOCK_HELD = """
            SELECT {key} FROM {table} {byKey}
            WHERE {keyed} AND {fence} AND {stillClaimable}
            FOR UPDATE""";

    private static final String RENEW = """
            UPDATE {table} {byKey}
            SET {due} = {leaseEnd}[, {updatedAt} = {now}]
            WHERE {keyed}""";

    private final OutboxTable table;
    private final SqlConnections connections;
    private final SqlDatabaseClock clock;
    private final boolean dueIsFence;
    private final String lockHeld;
    private final String renew;

    OutboxLeaseRenewer(OutboxTable table, SqlConnections connections, SqlDatabaseClock clock) {
        this.table = table;
        this.connections = connections;
        this.clock = clock;
        this.dueIsFence = table.mapping().fence() == OutboxMapping.Fence.DUE;
        this.lockHeld = table.sql(LOCK_HELD);
        this.renew = dueIsFence
                ? table.sql(RENEW, Map.of("leaseEnd", table.times().fromWallClock(":lease")))
                : table.sql(RENEW);
    }

    /** Locks the rows that are still held, of a group with one fence, and says which. */
    <T> List<T> lock(Connection connection, Group<T> group, Function<T, ? extends ClaimedRow> row) throws SQLException {
        List<String> keys =
                group.items().stream().map(item -> row.apply(item).rowKey()).toList();
        SqlCall call = new SqlCall(lockHeld).set("fence", table.fenceValue(group.fence()));
        Set<String> ours = new HashSet<>(
                table.keyed(call, keys).query(connection, result -> table.comparable(result.getString(1))));
        return group.items().stream()
                .filter(item -> ours.contains(table.comparable(row.apply(item).rowKey())))
                .toList();
    }

    List<ClaimedEvent> renew(Lease lease, List<ClaimedEvent> claimed) {
        if (claimed.isEmpty()) {
            return List.of();
        }
        Map<ClaimedEvent, String> fences = new LinkedHashMap<>();
        connections.transaction("renew", table.name(), table.dialect(), connection -> {
            fences.clear();
            for (Group<ClaimedEvent> group : OutboxFenceGroups.of(claimed, ClaimedEvent::fence)) {
                List<ClaimedEvent> ours = lock(connection, group, event -> event);
                if (!ours.isEmpty()) {
                    String fence = write(connection, lease, ours, group.fence());
                    ours.forEach(event -> fences.put(event, fence));
                }
            }
            return fences.size();
        });
        fences.forEach(ClaimedEvent::fenced); // after the commit: a rolled-back renewal changed no fence
        return List.copyOf(fences.keySet());
    }

    /** Returns the fence that the rows have from now on. */
    private String write(Connection connection, Lease lease, List<ClaimedEvent> ours, String fence)
            throws SQLException {
        SqlTimes times = table.times();
        long leaseEnd =
                dueIsFence ? times.wallClockAfter(clock.wallClockMicros(connection, table), lease.duration()) : 0;
        SqlCall call = new SqlCall(renew)
                .set("lease", dueIsFence ? times.wallClockValue(leaseEnd) : (Object) times.ticks(lease.duration()));
        table.keyed(call, ours.stream().map(ClaimedEvent::rowKey).toList()).update(connection);
        return dueIsFence ? String.valueOf(leaseEnd) : fence;
    }
}
