package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The partitions of an outbox table of Waybill's own layout, in one database's words. Every change locks the table for a moment,
 * waits a moment at most for that lock, and gives up with a CONFLICT: whoever waits for it holds up all that come after.
 */
sealed interface OutboxPartitions permits MySqlPartitions, PostgreSqlPartitions {

    /** Moving more rows than this from one partition to another would take more than a moment. */
    int MOST_MOVED = 20_000;

    /** What becomes of a partition that was to be dropped. */
    enum Drop {
        DROPPED,
        /** Somebody else dropped it. */
        GONE,
        /** A row in it still waits for somebody. */
        UNSETTLED
    }

    /** Those that belong to a period, oldest first; none where the table has no such partitions. */
    List<OutboxPartition> dated(Connection connection) throws SQLException;

    /** What stands after FROM to read one partition. */
    String source(OutboxPartition partition);

    /**
     * Makes partitions for coming periods.
     *
     * @return how many were made; none when somebody else was quicker
     */
    int addAhead(SqlConnections connections, Instant now);

    /** Drops a partition unless a row in it waits or is DEAD. What is settled does not change any more. */
    Drop drop(SqlConnections connections, OutboxPartition partition);

    /** Of a database that has partitions. */
    static OutboxPartitions of(OutboxTable table) {
        return table.dialect() == Dialect.POSTGRESQL ? new PostgreSqlPartitions(table) : new MySqlPartitions(table);
    }

    /** How long the latest period is, which is how long those after it will be. */
    static Duration period(List<OutboxPartition> dated) {
        OutboxPartition last = dated.get(dated.size() - 1);
        return Duration.between(last.from(), last.end());
    }

    /** Until when there have to be partitions. */
    static Instant neededUntil(Instant now, Duration period) {
        return OutboxPartition.floor(now, period).plus(period.multipliedBy(OutboxPartition.PERIODS_AHEAD + 1L));
    }

    /** A statement about partitions, which takes no parameters: names and bounds in it are made here of times. */
    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
