package dev.waybill.jdbc;

import dev.waybill.store.OutboxStore.Backlog;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Counts rows by state, for people and alerts. Waiting and DEAD rows are counted all: an index on status and due time leads to
 * them. Where settled rows are parked, one on the due time alone does. Of the sent ones, of which there may be millions, only
 * so many are counted.
 */
final class OutboxBacklogCounter {

    private static final String COUNT_WAITING = """
            SELECT {status}, COUNT(*) FROM {table} {hint}
            WHERE {status} IN ({claimable})[ AND {notParked}]
            GROUP BY {status}""";

    private static final String COUNT_DEAD =
            "SELECT COUNT(*) FROM {table} {hint} WHERE {status} = {DEAD}[ AND {due} = {parked}]";

    private static final String COUNT_SENT = """
            SELECT COUNT(*) FROM
                (SELECT 1 AS one FROM {table} {hint} WHERE {isSent} LIMIT :most) counted""";

    private static final String COUNT_TRIED =
            "SELECT COUNT(*) FROM {table} WHERE {status} IN ({claimable}) AND {attempts} > 0";

    private static final String OLDEST = """
            SELECT MIN(COALESCE({dueMicros}, {bornMicros})), {clock} FROM {table}
            WHERE {status} IN ({claimable}) AND ({due} IS NULL OR {due} <= {now})""";

    private final OutboxTable table;
    private final SqlConnections connections;

    OutboxBacklogCounter(OutboxTable table, SqlConnections connections) {
        this.table = table;
        this.connections = connections;
    }

    Backlog backlog() {
        return connections.once("backlog", table.name(), table.dialect(), this::count);
    }

    private Backlog count(Connection connection) throws SQLException {
        Map<String, Long> byWord = new HashMap<>();
        new SqlCall(sql(COUNT_WAITING))
                .query(connection, row -> byWord.put(String.valueOf(row.getString(1)), row.getLong(2)));
        OutboxMapping mapping = table.mapping();
        long waiting = mapping.claimable().stream()
                .mapToLong(word -> byWord.getOrDefault(word, 0L))
                .sum();
        long tried = tried(connection, byWord);
        return new Backlog(
                waiting - tried,
                tried,
                number(connection, new SqlCall(sql(COUNT_SENT)).set("most", Backlog.MOST_SENT)),
                number(connection, new SqlCall(sql(COUNT_DEAD))),
                oldest(connection));
    }

    /** A word of its own for RETRY answers without reading the rows. */
    private long tried(Connection connection, Map<String, Long> byWord) throws SQLException {
        boolean told = !Objects.equals(
                        table.mapping().word(OutboxState.RETRY), table.mapping().word(OutboxState.NEW))
                && table.mapping().word(OutboxState.CLAIMED) == null;
        return told
                ? byWord.getOrDefault(Objects.requireNonNull(table.mapping().word(OutboxState.RETRY)), 0L)
                : number(connection, new SqlCall(table.sql(COUNT_TRIED)));
    }

    private static long number(Connection connection, SqlCall call) throws SQLException {
        return call.query(connection, row -> row.getLong(1)).get(0);
    }

    /** PostgreSQL's index holds waiting rows only, and another one the DEAD ones. */
    private String sql(String template) {
        boolean parked = table.mapping().parksSettled() && table.dialect() != Dialect.POSTGRESQL;
        return table.sql(
                template,
                parked
                        ? Map.of(
                                "hint",
                                "{byDue}",
                                "parked",
                                "{deadDue}",
                                "notParked",
                                table.shapeOf(OutboxColumn.DUE).nullable()
                                        ? "({due} < {deadDue} OR {due} IS NULL)"
                                        : "{due} < {deadDue}",
                                "isSent",
                                "{due} = {sentDue}")
                        : Map.of("hint", "", "isSent", "{status} = {SENT}"));
    }

    private Duration oldest(Connection connection) throws SQLException {
        OutboxColumn born = table.has(OutboxColumn.CREATED_AT) ? OutboxColumn.CREATED_AT : OutboxColumn.OCCURRED_AT;
        String bornMicros = table.has(born) ? table.times().wallClockMicros(table.quoted(born)) : "{clock}";
        List<Duration> ages = new SqlCall(table.sql(OLDEST, Map.of("bornMicros", bornMicros)))
                .query(connection, row -> {
                    long due = row.getLong(1);
                    return row.wasNull()
                            ? Duration.ZERO
                            : Duration.of(Math.max(0, row.getLong(2) - due), ChronoUnit.MICROS);
                });
        return ages.get(0);
    }
}
