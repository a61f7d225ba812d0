package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Partitions by RANGE COLUMNS. A change is made under LOCK TABLES, so that what is looked at stays so until it is made, and
 * so that of several processes one makes it.
 */
record MySqlPartitions(OutboxTable table) implements OutboxPartitions {

    private static final Logger log = LoggerFactory.getLogger(MySqlPartitions.class);

    private static final String LIST = """
            SELECT PARTITION_NAME, PARTITION_DESCRIPTION FROM information_schema.PARTITIONS
            WHERE TABLE_SCHEMA = COALESCE(:schema, DATABASE()) AND TABLE_NAME = :table
                AND PARTITION_METHOD = 'RANGE COLUMNS'
            ORDER BY PARTITION_ORDINAL_POSITION""";

    /** Settled rows have a due time that never comes, so that the index leads to the others at once. */
    private static final String UNSETTLED =
            "SELECT 1 FROM {table} PARTITION ({partition}) {byDue} WHERE {due} < {sentDue} LIMIT 1";

    private static final String MANY_AHEAD =
            "SELECT 1 FROM {table} PARTITION ({partition}) LIMIT 1 OFFSET " + MOST_MOVED;

    private static final String ADD = "ALTER TABLE {table} REORGANIZE PARTITION {partition} INTO ({partitions})";
    private static final String DROP = "ALTER TABLE {table} DROP PARTITION {partition}";
    private static final String LOCK = "LOCK TABLES {table} WRITE";
    private static final String UNLOCK = "UNLOCK TABLES";

    /** Whole seconds, and 0 is not allowed. */
    private static final String WAIT_BRIEFLY = "SET @waybill_wait = @@lock_wait_timeout, SESSION lock_wait_timeout = 1";

    private static final String WAIT_AS_BEFORE = "SET SESSION lock_wait_timeout = @waybill_wait";

    private record Bound(String name, String below) {}

    @Override
    public List<OutboxPartition> dated(Connection connection) throws SQLException {
        List<Bound> bounds = new SqlCall(LIST)
                .set("schema", table.shape().schema())
                .set("table", table.shape().name())
                .query(
                        connection,
                        row -> new Bound(
                                row.getString(1),
                                String.valueOf(row.getString(2)).replace("'", "")));
        List<OutboxPartition> dated = new ArrayList<>();
        Instant from = null;
        for (Bound bound : bounds) {
            Instant end = OutboxPartition.timeOf(bound.below());
            if (from != null && end != null) {
                dated.add(new OutboxPartition(bound.name(), from, end));
            }
            from = end;
        }
        return dated;
    }

    @Override
    public String source(OutboxPartition partition) {
        return table.sql("{table}") + " PARTITION (" + quoted(partition.name()) + ")";
    }

    @Override
    public int addAhead(SqlConnections connections, Instant now) {
        Integer added = connections.borrow("partition", table.name(), connection -> {
            List<OutboxPartition> known = dated(connection);
            return missing(known, now).isEmpty() ? 0 : locked(connection, () -> add(connection, now));
        });
        return added;
    }

    private static List<OutboxPartition> missing(List<OutboxPartition> known, Instant now) {
        Duration period = OutboxPartitions.period(known);
        Instant last = known.get(known.size() - 1).end();
        return OutboxPartition.between(last, OutboxPartitions.neededUntil(now, period), period);
    }

    private int add(Connection connection, Instant now) throws SQLException {
        List<OutboxPartition> missing = missing(dated(connection), now);
        if (missing.isEmpty()) {
            return 0;
        }
        if (!rows(connection, MANY_AHEAD, OutboxPartition.AHEAD).isEmpty()) {
            log.warn(
                    "[OutboxStore] partition: table={} has more than {} rows in partition {}, which moving would lock for long;"
                            + " reorganize it by hand in a quiet hour, see docs/tables.md",
                    table.name(),
                    MOST_MOVED,
                    OutboxPartition.AHEAD);
            return 0;
        }
        String partitions = missing.stream().map(this::definition).collect(Collectors.joining(", "))
                + ", PARTITION " + quoted(OutboxPartition.AHEAD) + " VALUES LESS THAN ("
                + literal(OutboxPartition.OTHERS_FROM)
                + ")";
        OutboxPartitions.execute(connection, sql(ADD, OutboxPartition.AHEAD, partitions));
        return missing.size();
    }

    private String definition(OutboxPartition partition) {
        return "PARTITION " + quoted(partition.name()) + " VALUES LESS THAN ("
                + literal(OutboxPartition.leastId(partition.end())) + ")";
    }

    static String literal(String bound) {
        return "'" + bound + "'";
    }

    @Override
    public Drop drop(SqlConnections connections, OutboxPartition partition) {
        return connections.borrow(
                "drop partition", table.name(), connection -> locked(connection, () -> drop(connection, partition)));
    }

    private Drop drop(Connection connection, OutboxPartition partition) throws SQLException {
        if (!partition.isIn(dated(connection))) {
            return Drop.GONE;
        }
        if (!rows(connection, UNSETTLED, partition.name()).isEmpty()) {
            return Drop.UNSETTLED;
        }
        OutboxPartitions.execute(connection, sql(DROP, partition.name(), ""));
        return Drop.DROPPED;
    }

    private List<Integer> rows(Connection connection, String template, String partition) throws SQLException {
        return new SqlCall(sql(template, partition, "")).query(connection, row -> row.getInt(1));
    }

    private String sql(String template, String partition, String partitions) {
        return SqlText.fill(
                table.sql(template, Map.of("partition", "{partition}", "partitions", "{partitions}")),
                Map.of("partition", quoted(partition), "partitions", partitions));
    }

    private String quoted(String name) {
        return table.dialect().quote(name);
    }

    private interface Step<T> {
        T run() throws SQLException;
    }

    /** Nobody else reads or writes the table meanwhile. */
    private <T> T locked(Connection connection, Step<T> step) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback(); // the pool's test of the connection may have begun a transaction
        }
        OutboxPartitions.execute(connection, WAIT_BRIEFLY);
        SQLException failure = null;
        try {
            OutboxPartitions.execute(connection, table.sql(LOCK));
            return step.run();
        } catch (SQLException e) {
            failure = e;
            throw e;
        } finally {
            leave(connection, failure);
        }
    }

    private static void leave(Connection connection, @Nullable SQLException failure) throws SQLException {
        try {
            OutboxPartitions.execute(connection, UNLOCK);
            OutboxPartitions.execute(connection, WAIT_AS_BEFORE);
        } catch (SQLException e) {
            if (failure == null) {
                throw e;
            }
            failure.addSuppressed(e); // the connection is gone, and lock and setting with it
        }
    }
}
