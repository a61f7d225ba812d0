package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Partitions by RANGE. A new one is made beside the table and attached, which holds up no producer; one that is dropped needs the
 * whole table for a moment.
 */
record PostgreSqlPartitions(OutboxTable table) implements OutboxPartitions {

    /** Settings that a partition needs for itself. */
    static final String STORAGE = "autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02";

    private static final Logger log = LoggerFactory.getLogger(PostgreSqlPartitions.class);

    private static final String LIST = """
            SELECT c.relname, pg_get_expr(c.relpartbound, c.oid)
            FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = to_regclass(:table)
            ORDER BY c.relname""";

    private static final Pattern RANGE = Pattern.compile("FOR VALUES FROM \\('([^']*)'\\) TO \\('([^']*)'\\)");

    /** Of two partial indexes each leads to its rows at once. */
    private static final String UNSETTLED = """
            (SELECT 1 FROM {partition} WHERE {status} IN ({claimable}) LIMIT 1)
            UNION ALL (SELECT 1 FROM {partition} WHERE {status} = {DEAD} LIMIT 1)""";

    private static final String MANY_AHEAD = "SELECT 1 FROM {partition} LIMIT 1 OFFSET " + MOST_MOVED;

    private static final String CREATE = "CREATE TABLE {partition} (LIKE {table} INCLUDING ALL) WITH (" + STORAGE + ")";

    private static final String ATTACH =
            "ALTER TABLE {table} ATTACH PARTITION {partition} FOR VALUES FROM ({from}) TO ({end})";

    private static final String DROP = "DROP TABLE {partition}";

    private static final String WAIT_BRIEFLY = "SET LOCAL lock_timeout = '200ms'";

    /** Conflicts with itself, and with nothing that producers and relays do. */
    private static final String ONE_AT_A_TIME = "LOCK TABLE ONLY {table} IN SHARE UPDATE EXCLUSIVE MODE";

    /** The table first: all others lock it before they lock a partition. */
    private static final String LOCK = "LOCK TABLE ONLY {table} IN ACCESS EXCLUSIVE MODE";

    @Override
    public List<OutboxPartition> dated(Connection connection) throws SQLException {
        String prefix = prefix();
        List<OutboxPartition> dated = new ArrayList<>();
        new SqlCall(LIST)
                .set("table", table.sql("{table}"))
                .query(connection, row -> List.of(row.getString(1), String.valueOf(row.getString(2))))
                .forEach(found -> {
                    Matcher range = RANGE.matcher(found.get(1));
                    if (found.get(0).startsWith(prefix) && range.matches()) {
                        Instant from = OutboxPartition.timeOf(range.group(1));
                        Instant end = OutboxPartition.timeOf(range.group(2));
                        if (from != null && end != null) {
                            dated.add(new OutboxPartition(found.get(0).substring(prefix.length()), from, end));
                        }
                    }
                });
        return dated;
    }

    /** Partitions are tables of their own beside it, named after it. */
    private String prefix() {
        return table.shape().name() + "_";
    }

    @Override
    public String source(OutboxPartition partition) {
        return quoted(partition.name());
    }

    private String quoted(String partition) {
        String schema = table.shape().schema();
        return (schema == null ? "" : table.dialect().quote(schema) + ".")
                + table.dialect().quote(prefix() + partition);
    }

    @Override
    public int addAhead(SqlConnections connections, Instant now) {
        List<OutboxPartition> known = connections.borrow("partition", table.name(), this::dated);
        return missing(known, now).isEmpty()
                ? 0
                : connections.transaction(
                        "partition", table.name(), table.dialect(), connection -> add(connection, now));
    }

    /** A period that has begun without a partition never gets one: its rows are in the one that takes all others. */
    private static List<OutboxPartition> missing(List<OutboxPartition> known, Instant now) {
        Duration period = OutboxPartitions.period(known);
        Instant last = known.get(known.size() - 1).end();
        Instant next = OutboxPartition.floor(now, period).plus(period);
        return OutboxPartition.between(
                last.isBefore(next) ? next : last, OutboxPartitions.neededUntil(now, period), period);
    }

    private int add(Connection connection, Instant now) throws SQLException {
        OutboxPartitions.execute(connection, WAIT_BRIEFLY);
        OutboxPartitions.execute(connection, table.sql(ONE_AT_A_TIME));
        List<OutboxPartition> missing = missing(dated(connection), now);
        if (!missing.isEmpty()
                && !rows(connection, MANY_AHEAD, OutboxPartition.AHEAD).isEmpty()) {
            log.warn(
                    "[OutboxStore] partition: table={} has more than {} rows in partition {}, which a new partition would read"
                            + " under a lock; see docs/tables.md",
                    table.name(),
                    MOST_MOVED,
                    OutboxPartition.AHEAD);
            return 0;
        }
        for (OutboxPartition partition : missing) {
            OutboxPartitions.execute(connection, sql(CREATE, partition.name()));
            OutboxPartitions.execute(
                    connection,
                    SqlText.fill(
                            sql(ATTACH, partition.name()),
                            Map.of("from", literal(partition.from()), "end", literal(partition.end()))));
        }
        return missing.size();
    }

    private static String literal(Instant bound) {
        return "'" + OutboxPartition.leastId(bound) + "'";
    }

    @Override
    public Drop drop(SqlConnections connections, OutboxPartition partition) {
        return connections.transaction("drop partition", table.name(), table.dialect(), connection -> {
            OutboxPartitions.execute(connection, WAIT_BRIEFLY);
            OutboxPartitions.execute(connection, table.sql(LOCK));
            if (!partition.isIn(dated(connection))) {
                return Drop.GONE;
            }
            if (!rows(connection, UNSETTLED, partition.name()).isEmpty()) {
                return Drop.UNSETTLED;
            }
            OutboxPartitions.execute(connection, sql(DROP, partition.name()));
            return Drop.DROPPED;
        });
    }

    private List<Integer> rows(Connection connection, String template, String partition) throws SQLException {
        return new SqlCall(sql(template, partition)).query(connection, row -> row.getInt(1));
    }

    private String sql(String template, String partition) {
        return SqlText.fill(
                table.sql(template, Map.of("partition", "{partition}", "from", "{from}", "end", "{end}")),
                Map.of("partition", quoted(partition), "from", "{from}", "end", "{end}"));
    }
}
