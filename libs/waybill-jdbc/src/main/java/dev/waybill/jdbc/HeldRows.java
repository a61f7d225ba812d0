package dev.waybill.jdbc;

import dev.waybill.store.Hold;
import dev.waybill.store.Parcel;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Finds out which rows are still held, and holds on to them. */
final class HeldRows {

    static final String LOCK_HELD = """
            SELECT {key} FROM {table} {byKey}
            WHERE {keyed} AND {fence} AND {stillClaimable}
            FOR UPDATE""";

    private static final String RENEW = """
            UPDATE {table} {byKey}
            SET {due} = {leaseEnd}[, {updatedAt} = {now}]
            WHERE {keyed}""";

    private final OutboxTable table;
    private final RelaySessions sessions;
    private final DatabaseClock clock;
    private final boolean dueIsFence;
    private final String lockHeld;
    private final String renew;

    HeldRows(OutboxTable table, RelaySessions sessions, DatabaseClock clock) {
        this.table = table;
        this.sessions = sessions;
        this.clock = clock;
        this.dueIsFence = table.mapping().fence() == TableMapping.Fence.DUE;
        this.lockHeld = table.sql(LOCK_HELD);
        this.renew =
                dueIsFence ? table.sql(RENEW, Map.of("leaseEnd", table.times().fromFace(":lease"))) : table.sql(RENEW);
    }

    /** Locks the rows that are still held, of a group with one fence, and says which. */
    <T> List<T> lock(Connection connection, List<T> group, Function<T, Parcel> parcel) throws SQLException {
        List<String> keys = group.stream().map(parcel.andThen(Parcel::rowKey)).toList();
        SqlCall call = new SqlCall(lockHeld)
                .set("fence", table.fenceValue(parcel.apply(group.get(0)).fence()));
        Set<String> ours = new HashSet<>(table.keyed(call, keys).query(connection, row -> row.getString(1)));
        return group.stream()
                .filter(item -> ours.contains(parcel.apply(item).rowKey()))
                .toList();
    }

    List<Parcel> renew(Hold hold, List<Parcel> parcels) {
        if (parcels.isEmpty()) {
            return List.of();
        }
        return sessions.transaction("renew", table.name(), table.dialect(), connection -> {
            List<Parcel> renewed = new ArrayList<>(parcels.size());
            for (List<Parcel> group : FenceGroups.of(parcels, Parcel::fence)) {
                List<Parcel> ours = lock(connection, group, parcel -> parcel);
                if (!ours.isEmpty()) {
                    renewed.addAll(write(connection, hold, ours));
                }
            }
            return renewed;
        });
    }

    private List<Parcel> write(Connection connection, Hold hold, List<Parcel> ours) throws SQLException {
        SqlTimes times = table.times();
        long leaseEnd = dueIsFence ? times.faceAfter(clock.faceMicros(connection, table), hold.lease()) : 0;
        SqlCall call = new SqlCall(renew)
                .set("lease", dueIsFence ? times.faceValue(leaseEnd) : (Object) times.ticks(hold.lease()));
        table.keyed(call, ours.stream().map(Parcel::rowKey).toList()).update(connection);
        return dueIsFence
                ? ours.stream()
                        .map(parcel -> new Parcel(
                                parcel.rowKey(), parcel.event(), parcel.attempts(), String.valueOf(leaseEnd)))
                        .toList()
                : ours;
    }
}
