package dev.waybill.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** Turns the shipped DDL of Waybill's own outbox into that of a table in partitions. */
final class DdlPartitions {

    private static final Duration SHORTEST = Duration.ofHours(1);
    private static final int LONGEST_NAME = 63;

    private static final String MYSQL_END = "CHARSET = utf8mb4;";
    private static final String MYSQL_DEFAULT = " DEFAULT (UTC_TIMESTAMP(3))";

    private static final String POSTGRESQL_END = ") WITH (" + PostgreSqlPartitions.STORAGE + ");";
    private static final String POSTGRESQL_KEY = "event_id       VARCHAR(64) NOT NULL";

    private DdlPartitions() {}

    /**
     * Adds the partitions.
     *
     * @param first in the period of the first partition
     * @param now later periods get theirs too, up to some that are still to come
     * @throws IllegalArgumentException when the layout, the database or the period can have none
     */
    static String add(String ddl, Dialect dialect, OutboxMapping mapping, Duration period, Instant first, Instant now) {
        require(mapping.layout().equals(OutboxLayouts.waybill().layout()), "only the layout waybill has partitions");
        require(dialect != Dialect.H2, "H2 has no partitions");
        require(
                period.compareTo(SHORTEST) >= 0 && period.toSeconds() % SHORTEST.toSeconds() == 0,
                "a partition's period is whole hours, was " + period);
        List<OutboxPartition> dated = OutboxPartition.between(
                OutboxPartition.floor(first, period), OutboxPartitions.neededUntil(now, period), period);
        return dialect.isMySqlFamily()
                ? mySql(dialect == Dialect.MYSQL ? withoutDefaultTimes(ddl) : ddl, dated)
                : postgreSql(ddl, mapping.table(), dated);
    }

    private static String mySql(String ddl, List<OutboxPartition> dated) {
        String partitions = dated.stream()
                .map(partition ->
                        "  PARTITION " + partition.name() + lessThan(OutboxPartition.leastId(partition.end())))
                .collect(Collectors.joining());
        return replaced(
                ddl,
                MYSQL_END,
                "CHARSET = utf8mb4\nPARTITION BY RANGE COLUMNS (event_id) (\n  PARTITION "
                        + OutboxPartition.EARLY
                        + lessThan(OutboxPartition.leastId(dated.get(0).from()))
                        + partitions
                        + "  PARTITION " + OutboxPartition.AHEAD + lessThan(OutboxPartition.OTHERS_FROM)
                        + "  PARTITION " + OutboxPartition.OTHERS + " VALUES LESS THAN (MAXVALUE));");
    }

    /** MySQL 8.0 changes no partition of a table in which a default is not a constant. */
    private static String withoutDefaultTimes(String ddl) {
        return "-- Without default times, because with them MySQL changes no partitions: who inserts says due_at and"
                + " created_at.\n" + replaced(ddl, MYSQL_DEFAULT, "");
    }

    private static String lessThan(String bound) {
        return " VALUES LESS THAN (" + MySqlPartitions.literal(bound) + "),\n";
    }

    private static String postgreSql(String ddl, String table, List<OutboxPartition> dated) {
        String bare = table.substring(table.indexOf('.') + 1);
        require(
                bare.length() + 1 + dated.get(0).name().length() <= LONGEST_NAME,
                "the table's name is too long to name partitions after it");
        StringBuilder partitions = new StringBuilder(") PARTITION BY RANGE (event_id);\n");
        String first = OutboxPartition.leastId(dated.get(0).from());
        partitions.append(partition(table, OutboxPartition.EARLY, "FOR VALUES FROM (MINVALUE) TO ('" + first + "')"));
        dated.forEach(each -> partitions.append(partition(
                table,
                each.name(),
                "FOR VALUES FROM ('" + OutboxPartition.leastId(each.from()) + "') TO ('"
                        + OutboxPartition.leastId(each.end()) + "')")));
        partitions.append(partition(
                table,
                OutboxPartition.OTHERS,
                "FOR VALUES FROM ('" + OutboxPartition.OTHERS_FROM + "') TO (MAXVALUE)"));
        partitions.append(partition(table, OutboxPartition.AHEAD, "DEFAULT"));
        String whole = replaced(ddl, POSTGRESQL_END, partitions.toString().stripTrailing());
        return replaced(whole, POSTGRESQL_KEY, "event_id       VARCHAR(64) COLLATE \"C\" NOT NULL");
    }

    private static String partition(String table, String name, String values) {
        return "CREATE TABLE IF NOT EXISTS " + table + "_" + name + " PARTITION OF " + table + " " + values
                + "\n  WITH (" + PostgreSqlPartitions.STORAGE + ");\n";
    }

    private static String replaced(String ddl, String from, String to) {
        if (!ddl.contains(from)) {
            throw new IllegalStateException("the shipped DDL has no '" + from + "'");
        }
        return ddl.replace(from, to);
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }
}
