package dev.waybill.jdbc;

import dev.waybill.jdbc.OutboxPartitions.Drop;
import dev.waybill.jdbc.archive.ArchivedRow;
import dev.waybill.jdbc.archive.RowArchive;
import dev.waybill.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes an outbox's partitions ahead of time and drops those in which everything is settled and old. A round begins with a look
 * at all of them; what can be dropped is archived first, where there is an archive, over as many calls as that takes.
 */
final class OutboxPartitioner {

    private static final Logger log = LoggerFactory.getLogger(OutboxPartitioner.class);

    private static final String NOW = "SELECT {clock}";

    /**
     * Read without a lock: what is settled and old stays so. A row is looked for, because MySQL 8.0.15 gets the count of old
     * rows wrong when the comparison stands inside the COUNT.
     */
    private static final String NEEDED = """
            SELECT {key} FROM :partition
            WHERE {status} NOT IN ({settled}) OR {age} > {then}
            LIMIT 1""";

    private static final String COUNT = "SELECT COUNT(*) FROM :partition";

    private static final String WHOLE = "SELECT * FROM :partition [WHERE {key} > {after}] ORDER BY {key} LIMIT :rows";

    private final OutboxTable table;
    private final SqlConnections connections;
    private final OutboxPartitions partitions;
    private final @Nullable RowArchive archive;
    private final String needed;
    private final String wholeFromTheFront;
    private final String wholeOn;
    private final Deque<Old> old = new ArrayDeque<>();
    private final Set<String> archived = new HashSet<>();
    private @Nullable String after;

    /** One in which everything is settled and old. */
    private record Old(OutboxPartition partition, long rows) {}

    OutboxPartitioner(OutboxTable table, SqlConnections connections, @Nullable RowArchive archive) {
        this.table = table;
        this.connections = connections;
        this.partitions = OutboxPartitions.of(table);
        this.archive = archive;
        this.needed = table.sql(NEEDED, SettledRowSweeper.placeholders(table));
        this.wholeFromTheFront = table.sql(WHOLE);
        this.wholeOn = table.sql(WHOLE, SettledRowSweeper.walking(table));
    }

    /** How long the table's periods are; null where it has no partitions of ours. */
    static @Nullable Duration periodOf(OutboxTable table, SqlConnections connections) {
        String layout = table.mapping().layout();
        if (table.dialect() == Dialect.H2
                || !layout.equals(OutboxLayouts.waybill().layout())) {
            return null;
        }
        List<OutboxPartition> dated = connections.borrow("look up", table.name(), OutboxPartitions.of(table)::dated);
        return dated.isEmpty() ? null : OutboxPartitions.period(dated);
    }

    /** Makes what is missing, and finds what may be dropped. */
    void beginRound(Duration olderThan) {
        Instant now = SqlTimes.instantOf(
                once(connection -> new SqlCall(table.sql(NOW)).query(connection, row -> row.getLong(1)))
                        .get(0));
        old.clear();
        after = null;
        try {
            int added = partitions.addAhead(connections, now);
            if (added > 0) {
                log.info("[OutboxStore] partition: table={} has {} more partitions", table.name(), added);
            }
        } catch (StoreException e) {
            putOff("has no partitions for later periods yet", e);
            return;
        }
        connections.borrow("look up", table.name(), partitions::dated).stream()
                .filter(partition -> !partition.end().isAfter(now.minus(olderThan)))
                .forEach(partition -> addIfSettled(partition, olderThan));
        archived.retainAll(old.stream().map(each -> each.partition().name()).toList());
    }

    private void addIfSettled(OutboxPartition partition, Duration olderThan) {
        String source = partitions.source(partition);
        boolean needed = !once(connection -> new SqlCall(this.needed)
                        .part("partition", source, List.of())
                        .set("ago", -table.times().ticks(olderThan))
                        .query(connection, row -> row.getString(1)))
                .isEmpty();
        if (!needed) {
            List<Long> rows = once(connection ->
                    new SqlCall(COUNT).part("partition", source, List.of()).query(connection, row -> row.getLong(1)));
            old.add(new Old(partition, rows.get(0)));
        }
    }

    /**
     * Archives or drops what the round found.
     *
     * @return how many rows were archived, or dropped where there is no archive; fewer than the limit when nothing is left
     */
    int sweep(int limit) {
        long swept = 0;
        while (!old.isEmpty() && swept < limit) {
            Old next = old.element();
            if (archive != null && !archived.contains(next.partition().name())) {
                swept += archive(archive, next.partition(), (int) (limit - swept));
            } else {
                old.remove();
                boolean dropped = drop(next.partition());
                swept += dropped && archive == null ? next.rows() : 0;
            }
        }
        return (int) Math.min(swept, Integer.MAX_VALUE);
    }

    private int archive(RowArchive into, OutboxPartition partition, int limit) {
        String from = after;
        SqlCall whole = new SqlCall(from == null ? wholeFromTheFront : wholeOn)
                .part("partition", partitions.source(partition), List.of())
                .set("rows", (long) Math.min(limit, SqlRowRemover.STEP));
        if (from != null) {
            whole.set("after", from);
        }
        List<ArchivedRow> rows =
                once(connection -> whole.query(connection, row -> SqlArchivedRow.read(table.name(), row)));
        into.write(rows);
        if (rows.isEmpty()) {
            archived.add(partition.name());
            after = null;
        } else {
            after = SqlArchivedRow.text(
                    rows.get(rows.size() - 1),
                    table.shapeOf(OutboxColumn.EVENT_ID).name());
        }
        return rows.size();
    }

    private boolean drop(OutboxPartition partition) {
        try {
            Drop done = partitions.drop(connections, partition);
            log.info(
                    "[OutboxStore] drop partition: table={} partition={} result={}",
                    table.name(),
                    partition.name(),
                    done);
            return done == Drop.DROPPED;
        } catch (StoreException e) {
            putOff("keeps partition " + partition.name(), e);
            old.clear(); // each try holds producers up for as long as it waits
            return false;
        }
    }

    /** A lock that was not free in time is nothing unusual. */
    private void putOff(String what, StoreException cause) {
        if (cause.reason() != StoreException.Reason.CONFLICT) {
            throw cause;
        }
        log.info(
                "[OutboxStore] partition: table={} {}, because somebody holds its lock; the next round tries again",
                table.name(),
                what);
    }

    private <T> T once(SqlConnections.Work<T> work) {
        return connections.once("sweep", table.name(), table.dialect(), work);
    }
}
