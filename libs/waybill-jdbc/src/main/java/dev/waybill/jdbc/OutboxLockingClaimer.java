package dev.waybill.jdbc;

import dev.waybill.jdbc.OutboxTable.DueRange;
import dev.waybill.store.ClaimLimit;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Claims on MySQL, MariaDB and H2: look (one statement without locks, all that an idle poll costs), lock, mark. Each
 * walk follows an index in due order and stops at the limit, so that no row is locked that is not taken.
 */
final class OutboxLockingClaimer implements OutboxClaimer {

    static final String LOCK = """
            SELECT {clock} AS wb_clock, {payloadBytes} AS wb_bytes, {rowWithSmallPayload}
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

    private static final String READ = "SELECT {row} FROM {table} {byKey} WHERE {keyed}";

    private static final int ROWS_PER_TRANSACTION = 500;

    /** The binary log holds each changed row twice, whole: a claim of many large rows would outlive its own lease. */
    private static final long BYTES_PER_TRANSACTION = 4L * 1024 * 1024;

    /** While a large transaction commits, its log keeps business transactions waiting; several small ones do not. */
    private static final int ROWS_AMONG_OTHERS = 100;

    private final OutboxTable table;
    private final OutboxRowCodec codec;
    private final SqlConnections connections;
    private final SqlDatabaseClock clock;
    private final ClaimThrottle throttle;
    private final OutboxDueRanges dueRanges;
    private final ClaimCursors cursors = new ClaimCursors();
    private final ClaimStepSize stepSize = new ClaimStepSize();
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

    /** What one step took, whether there may be more for the next one, and how far the cursor moves once it is committed. */
    private record Step(List<ClaimedRow> rows, long bytes, boolean more, Runnable moveCursor) {

        static Step ofNothing(boolean more) {
            return new Step(List.of(), 0, more, () -> {});
        }
    }

    /** The rows that were locked in a range, and whether these are all that are due. */
    private record LockedRange(DueRange range, List<OutboxLockedRow> rows, boolean all) {

        void moveCursor(ClaimCursor cursor, Set<OutboxLockedRow> taken, long wallClock) {
            if (all && taken.containsAll(rows)) {
                cursor.cameToTheEnd(range, wallClock);
                return;
            }
            for (OutboxLockedRow row : rows) {
                if (!taken.contains(row)) {
                    return;
                }
                if (row.dueMicros() != Long.MIN_VALUE) {
                    cursor.cameTo(range, row.dueMicros(), wallClock);
                }
            }
        }
    }

    @Override
    public List<ClaimedRow> claim(Lease lease, ClaimLimit limit, Set<String> exceptTopics) {
        ClaimCursor cursor = cursors.of(exceptTopics);
        List<ClaimedRow> taken = new ArrayList<>();
        long bytes = limit.bytes();
        if (cursor.isWalking(System.nanoTime())) {
            bytes = take(cursor, cursor.ranges(), lease, new ClaimLimit(limit.rows(), bytes), taken);
        }
        if (taken.size() < limit.rows() && bytes > 0) {
            cursor.begin(System.nanoTime());
            OutboxDueRanges.Found found = dueRanges.look(cursor);
            throttle.claims(found.oldestDue(), found.wallClock());
            cursor.found(found.ranges());
            bytes = take(cursor, found.ranges(), lease, new ClaimLimit(limit.rows(), bytes), taken);
        }
        cursor.claimed(taken.size() >= limit.rows() || bytes <= 0);
        return taken;
    }

    /** Returns how many bytes are left of the limit; none when they ended the claim. */
    private long take(
            ClaimCursor cursor, List<DueRange> ranges, Lease lease, ClaimLimit limit, List<ClaimedRow> taken) {
        long bytes = limit.bytes();
        boolean more = !ranges.isEmpty();
        while (more && taken.size() < limit.rows() && bytes > 0) {
            ClaimLimit left = new ClaimLimit(limit.rows() - taken.size(), bytes);
            long largestRow = taken.isEmpty() ? Long.MAX_VALUE : bytes;
            long began = System.nanoTime();
            Step step;
            try {
                throttle.beforeStep(dueRanges::haveFreshRows);
                ClaimLimit stepLimit = stepLimit(left);
                step = connections.transaction(
                        "claim",
                        table.name(),
                        table.dialect(),
                        connection -> step(connection, cursor, ranges, lease, stepLimit, largestRow));
            } catch (StoreException e) {
                if (taken.isEmpty()) {
                    throw e;
                }
                return 0; // what the steps before have committed is ours; the next claim meets the fault again, if it
                // lasts
            }
            step.moveCursor().run();
            taken.addAll(step.rows());
            bytes = step.rows().isEmpty() && step.more() ? 0 : bytes - step.bytes();
            more = step.more();
            throttle.rest(began);
        }
        return bytes;
    }

    private ClaimLimit stepLimit(ClaimLimit left) {
        int rows = Math.min(throttle.isDue() ? ROWS_AMONG_OTHERS : ROWS_PER_TRANSACTION, left.rows());
        long bytes = Math.min(BYTES_PER_TRANSACTION, left.bytes());
        return new ClaimLimit(stepSize.rows(rows, bytes), bytes);
    }

    private Step step(
            Connection connection,
            ClaimCursor cursor,
            List<DueRange> ranges,
            Lease lease,
            ClaimLimit limit,
            long largestRow)
            throws SQLException {
        List<OutboxLockedRow> locked = new ArrayList<>();
        List<LockedRange> lockedRanges = new ArrayList<>();
        long[] wallClock = new long[1];
        for (DueRange range : ranges) {
            int left = limit.rows() - locked.size();
            if (left > 0) {
                List<OutboxLockedRow> rows = lock(connection, cursor, range, left, wallClock);
                lockedRanges.add(new LockedRange(range, rows, rows.size() < left));
                locked.addAll(rows);
            }
        }
        if (locked.isEmpty()) {
            return Step.ofNothing(false);
        }
        stepSize.locked(locked);
        boolean full = locked.size() == limit.rows();
        locked.sort(OutboxLockedRow::compareDue);
        List<OutboxLockedRow> fit = OutboxLockedRow.thatFit(locked, limit.bytes());
        if (fit.get(0).bytes() > largestRow) {
            return Step.ofNothing(true); // it is the first of the next claim
        }
        Set<OutboxLockedRow> taken = new HashSet<>(fit);
        throttle.claims(fit.get(fit.size() - 1).dueMicros(), wallClock[0]);
        List<ClaimedRow> claimed = mark(connection, read(connection, fit), lease, wallClock[0]);
        long bytes = fit.stream().mapToLong(OutboxLockedRow::bytes).sum();
        return new Step(
                claimed,
                bytes,
                full || fit.size() < locked.size(),
                () -> lockedRanges.forEach(range -> range.moveCursor(cursor, taken, wallClock[0])));
    }

    private List<OutboxLockedRow> lock(
            Connection connection, ClaimCursor cursor, DueRange range, int limit, long[] wallClock)
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
        List<OutboxLockedRow> rows = call.query(connection, row -> {
            wallClock[0] = row.getLong(1);
            return OutboxLockedRow.read(row, 2, table, codec);
        });
        if (!rows.isEmpty()) {
            clock.observe(wallClock[0], asked, System.nanoTime());
        }
        return rows;
    }

    /** The rows in their order, those with large payloads read now. */
    private List<OutboxRow> read(Connection connection, List<OutboxLockedRow> locked) throws SQLException {
        List<String> large = locked.stream()
                .filter(row -> row.row() == null)
                .map(OutboxLockedRow::key)
                .toList();
        Map<String, OutboxRow> read = new HashMap<>();
        if (!large.isEmpty()) {
            table.keyed(new SqlCall(table.sql(READ)), large)
                    .query(connection, row -> OutboxRow.read(row, 1, table, codec))
                    .forEach(row -> read.put(row.key(), row));
        }
        return locked.stream()
                .map(row -> row.row() != null ? row.row() : Objects.requireNonNull(read.get(row.key())))
                .toList();
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
