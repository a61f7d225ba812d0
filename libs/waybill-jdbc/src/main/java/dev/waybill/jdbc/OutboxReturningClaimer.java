package dev.waybill.jdbc;

import dev.waybill.jdbc.OutboxTable.DueRange;
import dev.waybill.store.ClaimLimit;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Claims on PostgreSQL: one statement locks, marks and returns. With several ranges each takes what the ranges before it
 * left of the limit, and the ranges take turns in going first, so that none starves.
 *
 * <p>The rows stay locked until the answer has been written to the socket. A relay that is frozen while it reads would keep them
 * for ever, so for this statement the server gives up a connection that takes no bytes for the length of a lease.
 */
final class OutboxReturningClaimer implements OutboxClaimer {

    private static final String WALK = """
            walk{n} AS MATERIALIZED (
                SELECT {key} AS k, {dueMicros} AS due_micros, {n} AS walk, {payloadBytes} AS bytes
                FROM {table}
                WHERE {range}[ AND {due} >= {reached%1$s}][ AND ({topic} IS NULL OR {topic} NOT IN {exceptTopics})]
                ORDER BY {due}
                LIMIT {left}
                FOR UPDATE SKIP LOCKED)""";

    private static final String CLAIM = """
            WITH {walks},
            sized AS (
                SELECT k, due_micros, walk, bytes, SUM(bytes) OVER (ORDER BY walk, due_micros, k) AS bytes_to_here,
                    {sinceAsked} AS walk_micros
                FROM {found}),
            found AS (
                SELECT k, due_micros, walk, bytes, walk_micros FROM sized
                WHERE bytes_to_here <= :bytes OR bytes_to_here = bytes),
            taken AS (
                UPDATE {table}
                SET {due} = {leaseEnd}[, {token} = :token][, {status} = {CLAIMED}]
                    [, {version} = COALESCE({version}, 0) + 1][, {updatedAt} = {now}]
                WHERE {key} = ANY(ARRAY(SELECT k FROM found))
                RETURNING {key} AS k, {row})
            SELECT {asked} AS wb_asked, (SELECT {clock} FROM set_config('tcp_user_timeout', :silence, true)) AS wb_clock,
                COALESCE(found.walk_micros, {sinceAsked}) AS walk_micros,
                (SELECT COUNT(*) FROM sized) AS walked, found.due_micros, found.walk, found.bytes, taken.*
            FROM (SELECT 1) AS always LEFT JOIN (taken JOIN found ON taken.k = found.k) ON TRUE""";

    /** The moment up to which rows are due for the statement. */
    private static final String ASKED = "statement_timestamp()";

    private static final String SINCE_ASKED =
            "CAST(EXTRACT(EPOCH FROM clock_timestamp() - " + ASKED + ") * 1000000 AS bigint)";

    private final OutboxTable table;
    private final OutboxRowCodec codec;
    private final SqlConnections connections;
    private final SqlDatabaseClock clock;
    private final List<DueRange> ranges;
    private final AtomicInteger turn = new AtomicInteger();
    private final ClaimCursors cursors = new ClaimCursors();

    OutboxReturningClaimer(
            OutboxTable table, OutboxRowCodec codec, SqlConnections connections, SqlDatabaseClock clock) {
        this.table = table;
        this.codec = codec;
        this.connections = connections;
        this.clock = clock;
        this.ranges = table.dueRanges();
    }

    /** A row as it was before the claim, which walk found it, its payload's size, and the due time that the claim wrote. */
    private record Taken(OutboxRow row, int walk, long bytes, long newDue) {}

    /**
     * A row of what the statement returns. There is always one, because the clock is needed when nothing was found too.
     *
     * @param asked the time up to which rows were due
     * @param walkMicros how long it took to find and lock the rows, without the time for changing and reading them
     * @param walked how many rows were found
     */
    private record Answer(
            long asked,
            long wallClock,
            long walkMicros,
            long walked,
            @Nullable Taken taken) {}

    /** What one statement took, and whether the limit of bytes ended it. */
    private record Step(List<Taken> taken, boolean cutByBytes) {}

    @Override
    public List<ClaimedRow> claim(Lease lease, ClaimLimit limit, Set<String> exceptTopics) {
        List<DueRange> order = new ArrayList<>(ranges);
        Collections.rotate(order, Math.floorMod(turn.getAndIncrement(), order.size()));
        ClaimCursor cursor = cursors.of(exceptTopics);
        List<Taken> taken = new ArrayList<>();
        boolean cut = false;
        if (cursor.isWalking(System.nanoTime())) {
            Step step = take(cursor, order, lease, limit);
            taken.addAll(step.taken());
            cut = step.cutByBytes();
        }
        long bytes = limit.bytes() - taken.stream().mapToLong(Taken::bytes).sum();
        if (!cut && taken.size() < limit.rows() && bytes > 0) {
            cursor.begin(System.nanoTime());
            Step step = take(cursor, order, lease, new ClaimLimit(limit.rows() - taken.size(), bytes));
            taken.addAll(step.taken());
            cut = step.cutByBytes();
        }
        cursor.claimed(taken.size() >= limit.rows() || cut);
        return sorted(taken, lease);
    }

    private Step take(ClaimCursor cursor, List<DueRange> order, Lease lease, ClaimLimit limit) {
        SqlCall call = call(cursor, order)
                .set("limit", (long) limit.rows())
                .set("bytes", limit.bytes())
                .set("token", lease.token())
                .set("lease", table.times().ticks(lease.duration()))
                .set("silence", String.valueOf(Math.max(1, lease.duration().toMillis())));
        long asked = System.nanoTime();
        List<Answer> answers = connections.once(
                "claim", table.name(), table.dialect(), connection -> call.query(connection, this::answer));
        Answer any = answers.get(0);
        clock.observe(any.wallClock(), asked, System.nanoTime());
        cursor.looked(any.walkMicros() * 1_000);
        List<Taken> taken = answers.stream()
                .map(Answer::taken)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
        boolean cutByBytes = taken.size() < any.walked();
        if (any.walked() < limit.rows() && !cutByBytes) {
            order.forEach(range -> cursor.cameToTheEnd(range, any.asked()));
        } else {
            taken.forEach(
                    each -> cursor.cameTo(order.get(each.walk()), each.row().dueMicros(), any.wallClock()));
        }
        return new Step(taken, cutByBytes);
    }

    private Answer answer(ResultSet row) throws SQLException {
        return new Answer(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4), taken(row));
    }

    private @Nullable Taken taken(ResultSet row) throws SQLException {
        if (row.getString(8) == null) {
            return null;
        }
        long due = row.getLong(5);
        long dueMicros = row.wasNull() ? Long.MIN_VALUE : due;
        OutboxRow read = OutboxRow.read(row, 9, table, codec); // after its key, which the join needs
        return new Taken(
                new OutboxRow(read.key(), read.content(), read.attempts(), read.version(), dueMicros),
                row.getInt(6),
                row.getLong(7),
                read.dueMicros());
    }

    private List<ClaimedRow> sorted(List<Taken> taken, Lease lease) {
        taken.sort((one, other) -> one.row().compareDue(other.row()));
        return taken.stream()
                .map(each -> each.row()
                        .claimed(
                                switch (table.mapping().fence()) {
                                    case TOKEN -> lease.token();
                                    case VERSION -> String.valueOf(each.row().version());
                                    case DUE -> String.valueOf(each.newDue());
                                }))
                .toList();
    }

    private SqlCall call(ClaimCursor cursor, List<DueRange> order) {
        List<String> walks = new ArrayList<>();
        Map<String, String> placeholders = new HashMap<>();
        placeholders.put("asked", table.times().wallClockMicros(ASKED));
        placeholders.put("sinceAsked", SINCE_ASKED);
        Map<DueRange, Long> places = cursor.reached();
        for (int i = 0; i < order.size(); i++) {
            String reached = "reached" + (char) ('A' + i);
            walks.add(WALK.replace("{n}", String.valueOf(i))
                    .replace("reached%1$s", reached)
                    .replace("{range}", order.get(i).condition())
                    .replace("{left}", left(i)));
            if (places.containsKey(order.get(i))) {
                placeholders.put(reached, table.times().fromWallClock(":" + reached));
            }
        }
        String template = CLAIM.replace("{walks}", String.join(",\n", walks))
                .replace("{found}", order.size() == 1 ? "walk0" : "(" + union(order.size()) + ") AS walks");
        SqlCall call = new OutboxTopicFilter(cursor.exceptTopics()).call(table, template, placeholders);
        for (int i = 0; i < order.size(); i++) {
            Long reached = places.get(order.get(i));
            if (reached != null) {
                call.set("reached" + (char) ('A' + i), table.times().wallClockValue(reached));
            }
        }
        return call;
    }

    /** What the walks before this one left of the limit. */
    private static String left(int index) {
        return index == 0
                ? "CAST(:limit AS bigint)"
                : "(SELECT CAST(:limit AS bigint) - COUNT(*) FROM (" + union(index) + ") AS before)";
    }

    private static String union(int walks) {
        return IntStream.range(0, walks)
                .mapToObj(i -> "SELECT k, due_micros, walk, bytes FROM walk" + i)
                .collect(Collectors.joining(" UNION ALL "));
    }
}
