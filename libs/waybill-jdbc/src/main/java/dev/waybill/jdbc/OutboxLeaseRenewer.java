package dev.waybill.jdbc;

import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Finds out which rows are still held, and holds on to them. */
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
    private final OutboxConnections sessions;
    private final SqlDatabaseClock clock;
    private final boolean dueIsFence;
    private final String lockHeld;
    private final String renew;

    OutboxLeaseRenewer(OutboxTable table, OutboxConnections sessions, SqlDatabaseClock clock) {
        this.table = table;
        this.sessions = sessions;
        this.clock = clock;
        this.dueIsFence = table.mapping().fence() == OutboxMapping.Fence.DUE;
        this.lockHeld = table.sql(LOCK_HELD);
        this.renew =
                dueIsFence ? table.sql(RENEW, Map.of("leaseEnd", table.times().fromFace(":lease"))) : table.sql(RENEW);
    }

    /** Locks the rows that are still held, of a group with one fence, and says which. */
    <T> List<T> lock(Connection connection, List<T> group, Function<T, ClaimedEvent> claimed) throws SQLException {
        List<String> keys =
                group.stream().map(claimed.andThen(ClaimedEvent::rowKey)).toList();
        SqlCall call = new SqlCall(lockHeld)
                .set("fence", table.fenceValue(claimed.apply(group.get(0)).fence()));
        Set<String> ours = new HashSet<>(table.keyed(call, keys).query(connection, row -> row.getString(1)));
        return group.stream()
                .filter(item -> ours.contains(claimed.apply(item).rowKey()))
                .toList();
    }

    List<ClaimedEvent> renew(Lease lease, List<ClaimedEvent> claimedEvents) {
        if (claimedEvents.isEmpty()) {
            return List.of();
        }
        return sessions.transaction("renew", table.name(), table.dialect(), connection -> {
            List<ClaimedEvent> renewed = new ArrayList<>(claimedEvents.size());
            for (List<ClaimedEvent> group : OutboxFenceGroups.of(claimedEvents, ClaimedEvent::fence)) {
                List<ClaimedEvent> ours = lock(connection, group, claimed -> claimed);
                if (!ours.isEmpty()) {
                    renewed.addAll(write(connection, lease, ours));
                }
            }
            return renewed;
        });
    }

    private List<ClaimedEvent> write(Connection connection, Lease lease, List<ClaimedEvent> ours) throws SQLException {
        SqlTimes times = table.times();
        long leaseEnd = dueIsFence ? times.faceAfter(clock.faceMicros(connection, table), lease.duration()) : 0;
        SqlCall call = new SqlCall(renew)
                .set("lease", dueIsFence ? times.faceValue(leaseEnd) : (Object) times.ticks(lease.duration()));
        table.keyed(call, ours.stream().map(ClaimedEvent::rowKey).toList()).update(connection);
        return dueIsFence
                ? ours.stream()
                        .map(claimed -> new ClaimedEvent(
                                claimed.rowKey(), claimed.event(), claimed.attempts(), String.valueOf(leaseEnd)))
                        .toList()
                : ours;
    }
}
