package dev.waybill.jdbc;

import dev.waybill.jdbc.OutboxTable.DueRange;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Claims on MySQL, MariaDB and H2: look (one statement without locks, all that an idle poll costs), lock, mark. Each
 * walk follows an index in due order and stops at the limit, so that no row is locked that is not taken.
 */
final class OutboxLockingClaimer implements OutboxClaimer {

    static final String LOCK = """
            SELECT {clock} AS wb_clock, {row}
            FROM {table} {byDue}
            WHERE {range}[ AND {due} >= {reached}][ AND ({topic} IS NULL OR {topic} NOT IN {exceptTopics})]
            {inDueOrder}
            LIMIT :limit
            FOR UPDATE SKIP LOCKED""";

    private static final String MARK = """
            UPDATE {table} {byKey}
            SET {due} = {leaseEnd}[, {token} = :token][, {status} = {CLAIMED}]
                [, {version} = COALESCE({version}, 0) + 1][, {updatedAt} = {now}]
            WHERE {keyed}""";

    private static final int ROWS_PER_TRANSACTION = 500;

    /** While a large transaction commits, its log keeps business transactions waiting; several small ones do not. */
    private static final int ROWS_AMONG_OTHERS = 25;

    private final OutboxTable table;
    private final OutboxRowCodec codec;
    private final SqlConnections connections;
    private final SqlDatabaseClock clock;
    private final ClaimThrottle throttle;
    private final OutboxDueRanges dueRanges;
    private final ClaimCursors cursors = new ClaimCursors();
    private final boolean dueIsFence;
    private final String mark;

    OutboxLockingClaimer(
            OutboxTable table,
            OutboxRowCodec codec,
            SqlConnections connections,
            SqlDatabaseClock clock,
            ClaimThrottle throttle) {
        this.table = table;
        this.codec = codec;
        this.connections = connections;
        this.clock = clock;
        this.throttle = throttle;
        this.dueRanges = new OutboxDueRanges(table, connections, clock);
        this.dueIsFence = table.mapping().fence() == OutboxMapping.Fence.DUE;
        this.mark = dueIsFence
                ? table.sql(MARK, Map.of("leaseEnd", table.times().fromWallClock(":lease")))
                : table.sql(MARK);
    }

    @Override
    public List<ClaimedRow> claim(Lease lease, int limit, Set<String> exceptTopics) {
        ClaimCursor cursor = cursors.of(exceptTopics);
        List<ClaimedRow> taken = new ArrayList<>();
        if (cursor.isWalking(System.nanoTime())) {
            take(cursor, cursor.ranges(), lease, limit, taken);
        }
        if (taken.size() < limit) {
            cursor.begin(System.nanoTime());
            OutboxDueRanges.Found found = dueRanges.look(cursor);
            throttle.claims(found.oldestDue(), found.wallClock());
            cursor.found(found.ranges());
            take(cursor, found.ranges(), lease, limit, taken);
        }
        cursor.claimed(taken.size() >= limit);
        return taken;
    }

    private void take(ClaimCursor cursor, List<DueRange> ranges, Lease lease, int limit, List<ClaimedRow> taken) {
        boolean more = !ranges.isEmpty();
        while (more && taken.size() < limit) {
            int some = Math.min(throttle.isDue() ? ROWS_AMONG_OTHERS : ROWS_PER_TRANSACTION, limit - taken.size());
            long began = System.nanoTime();
            List<ClaimedRow> claimed = connections.transaction(
                    "claim",
                    table.name(),
                    table.dialect(),
                    connection -> step(connection, cursor, ranges, lease, some));
            taken.addAll(claimed);
            more = claimed.size() == some;
            throttle.rest(began);
        }
    }

    private List<ClaimedRow> step(
            Connection connection, ClaimCursor cursor, List<DueRange> ranges, Lease lease, int limit)
            throws SQLException {
        List<OutboxRow> rows = new ArrayList<>();
        long[] wallClock = new long[1];
        for (DueRange range : ranges) {
            if (rows.size() < limit) {
                rows.addAll(lock(connection, cursor, range, limit - rows.size(), wallClock));
            }
        }
        rows.sort(OutboxRow::compareDue);
        return rows.isEmpty() ? List.of() : mark(connection, rows, lease, wallClock[0]);
    }

    private List<OutboxRow> lock(Connection connection, ClaimCursor cursor, DueRange range, int limit, long[] wallClock)
            throws SQLException {
        Long reached = cursor.reached(range);
        Map<String, String> placeholders = new HashMap<>(range.placeholders());
        if (reached != null) {
            placeholders.put("reached", table.times().fromWallClock(":reached"));
        }
        SqlCall call = new OutboxTopicFilter(cursor.exceptTopics())
                .call(table, LOCK, placeholders)
                .set("limit", (long) limit);
        if (reached != null) {
            call.set("reached", table.times().wallClockValue(reached));
        }
        long asked = System.nanoTime();
        List<OutboxRow> rows = call.query(connection, row -> {
            wallClock[0] = row.getLong(1);
            return OutboxRow.read(row, 2, table, codec);
        });
        if (!rows.isEmpty()) {
            clock.observe(wallClock[0], asked, System.nanoTime());
            long last = rows.get(rows.size() - 1).dueMicros();
            throttle.claims(last, wallClock[0]);
            if (rows.size() < limit) {
                cursor.cameToTheEnd(range, wallClock[0]);
            } else if (last != Long.MIN_VALUE) {
                cursor.cameTo(range, last, wallClock[0]);
            }
        }
        return rows;
    }

    private List<ClaimedRow> mark(Connection connection, List<OutboxRow> rows, Lease lease, long wallClock)
            throws SQLException {
        SqlTimes times = table.times();
        long leaseEnd = times.wallClockAfter(wallClock, lease.duration());
        for (int from = 0; from < rows.size(); from += SqlCall.LONGEST_LIST) {
            List<OutboxRow> some = rows.subList(from, Math.min(rows.size(), from + SqlCall.LONGEST_LIST));
            SqlCall call = new SqlCall(mark)
                    .set("token", lease.token())
                    .set("lease", dueIsFence ? times.wallClockValue(leaseEnd) : (Object) times.ticks(lease.duration()));
            table.keyed(call, some.stream().map(OutboxRow::key).toList()).update(connection);
        }
        return rows.stream()
                .map(row -> row.claimed(
                        switch (table.mapping().fence()) {
                            case TOKEN -> lease.token();
                            case VERSION -> String.valueOf(row.version() + 1);
                            case DUE -> String.valueOf(leaseEnd);
                        }))
                .toList();
    }
}
