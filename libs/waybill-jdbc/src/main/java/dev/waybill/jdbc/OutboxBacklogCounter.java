package dev.waybill.jdbc;

import dev.waybill.store.OutboxStore.Backlog;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Counts rows by state, for people and alerts, at a cost that does not grow with the table: an index leads to the rows, and of
 * each state only so many are counted. What waits beyond that is estimated by the database.
 */
final class OutboxBacklogCounter {

    /** Where settled rows are parked, an index on the due time alone leads to the waiting ones, and retries are the latest. */
    private static final String COUNT_WAITING = """
            SELECT {status}, COUNT(*), SUM(failed) FROM
                (SELECT {status}, {failed} AS failed FROM {table} {hint}
                WHERE {waiting}[ {latest}] LIMIT :most) counted
            GROUP BY {status}""";

    private static final String WAITING = "SELECT 1 FROM {table} {hint} WHERE {waiting}";

    private static final String COUNT_DEAD = """
            SELECT COUNT(*) FROM
                (SELECT 1 AS one FROM {table} {hint}
                WHERE {status} = {DEAD}[ AND {due} = {parked}] LIMIT :most) counted""";

    private static final String COUNT_SENT = """
            SELECT COUNT(*) FROM
                (SELECT 1 AS one FROM {table} {hint} WHERE {isSent} LIMIT :most) counted""";

    private static final String LONGEST_DUE = """
            SELECT {dueMicros}, {clock} FROM {table} {byDue}
            WHERE {range} ORDER BY {due} LIMIT 1""";

    /** They are in the order in which they were written, more or less. */
    private static final String WITHOUT_DUE_TIME = """
            SELECT MIN(born), {clock} FROM
                (SELECT {bornMicros} AS born FROM {table} {byDue} WHERE {range} LIMIT :most) counted""";

    /** A table of so many rows is not looked through for sent ones. */
    private static final long LARGE = 100_000;

    /** Among so many rows without a due time the oldest one is looked for. */
    private static final long FIRST = 1_000;

    private final OutboxTable table;
    private final SqlConnections connections;
    private final RowEstimate estimate;

    OutboxBacklogCounter(OutboxTable table, SqlConnections connections) {
        this.table = table;
        this.connections = connections;
        this.estimate = new RowEstimate(table.dialect());
    }

    Backlog backlog() {
        return connections.once("backlog", table.name(), table.dialect(), this::count);
    }

    private Backlog count(Connection connection) throws SQLException {
        long waiting = 0;
        long failed = 0;
        for (String condition : waitingConditions()) {
            Waiting some = waiting(connection, condition);
            waiting += some.rows();
            failed += some.failed();
        }
        long dead = number(connection, COUNT_DEAD, Backlog.MOST_DEAD);
        return new Backlog(waiting - failed, failed, sent(connection, waiting + dead), dead, oldest(connection));
    }

    private record Waiting(long rows, long failed) {}

    /** All words together where one index leads to all of them, else one by one: the many of one would hide another's few. */
    private List<String> waitingConditions() {
        if (byDueAlone()) {
            return List.of(
                    "{status} IN ({claimable})" + (table.dialect() == Dialect.POSTGRESQL ? "" : " AND " + notParked()));
        }
        return table.mapping().claimable().stream()
                .map(word -> "{status} = " + table.literal(word))
                .toList();
    }

    private Waiting waiting(Connection connection, String condition) throws SQLException {
        String retry = table.mapping().word(OutboxState.RETRY);
        boolean told = retry != null
                && !retry.equals(table.mapping().word(OutboxState.NEW))
                && table.mapping().word(OutboxState.CLAIMED) == null;
        Map<String, String> more = new HashMap<>(hints());
        more.put("waiting", condition);
        more.put(
                "failed",
                told ? "0" : "CASE WHEN {attempts} > 0 THEN 1 ELSE 0 END"); // a word of its own spares the row
        if (byDueAlone() || !told) {
            more.put("latest", "ORDER BY {due} DESC");
        }
        List<Waiting> counted = new SqlCall(table.sql(COUNT_WAITING, more))
                .set("most", Backlog.MOST_WAITING)
                .query(connection, row -> {
                    long rows = row.getLong(2);
                    boolean retries = told && Objects.equals(retry, row.getString(1));
                    return new Waiting(rows, retries ? rows : row.getLong(3));
                });
        long rows = counted.stream().mapToLong(Waiting::rows).sum();
        long failed = counted.stream().mapToLong(Waiting::failed).sum();
        if (rows < Backlog.MOST_WAITING) {
            return new Waiting(rows, failed);
        }
        long estimated = Math.max(rows, estimate.rows(connection, table.sql(WAITING, more)));
        return new Waiting(estimated, failed == rows ? estimated : failed);
    }

    /** PostgreSQL's index on the due time has only waiting rows: among many others it would look for sent ones one by one. */
    private long sent(Connection connection, long others) throws SQLException {
        if (byDueAlone() && table.dialect() == Dialect.POSTGRESQL) {
            long all = estimate.rowsOfTable(connection, table.sql("{table}"));
            if (all > LARGE) {
                return Math.max(0, Math.min(Backlog.MOST_SENT, all - others));
            }
        }
        return number(connection, COUNT_SENT, Backlog.MOST_SENT);
    }

    private long number(Connection connection, String template, long most) throws SQLException {
        return new SqlCall(table.sql(template, hints()))
                .set("most", most)
                .query(connection, row -> row.getLong(1))
                .get(0);
    }

    private boolean byDueAlone() {
        return table.mapping().parksSettled();
    }

    private String notParked() {
        return table.shapeOf(OutboxColumn.DUE).nullable()
                ? "({due} < {deadDue} OR {due} IS NULL)"
                : "{due} < {deadDue}";
    }

    /** PostgreSQL's index holds waiting rows only, and another one the DEAD ones. */
    private Map<String, String> hints() {
        return byDueAlone() && table.dialect() != Dialect.POSTGRESQL
                ? Map.of("hint", "{byDue}", "parked", "{deadDue}", "isSent", "{due} = {sentDue}")
                : Map.of("hint", "", "isSent", "{status} = {SENT}");
    }

    private Duration oldest(Connection connection) throws SQLException {
        OutboxColumn born = table.has(OutboxColumn.CREATED_AT) ? OutboxColumn.CREATED_AT : OutboxColumn.OCCURRED_AT;
        String bornMicros = table.has(born) ? table.times().wallClockMicros(table.quoted(born)) : "{clock}";
        List<Duration> ages = new ArrayList<>();
        for (OutboxTable.DueRange range : table.dueRanges()) {
            Map<String, String> more = Map.of("range", range.condition(), "bornMicros", bornMicros);
            SqlCall call = range.withoutDueTime()
                    ? new SqlCall(table.sql(WITHOUT_DUE_TIME, more)).set("most", FIRST)
                    : new SqlCall(table.sql(LONGEST_DUE, more));
            ages.addAll(call.query(connection, row -> {
                long due = row.getLong(1);
                return row.wasNull()
                        ? Duration.ZERO
                        : Duration.of(Math.max(0, row.getLong(2) - due), ChronoUnit.MICROS);
            }));
        }
        return ages.stream().max(Duration::compareTo).orElse(Duration.ZERO);
    }
}
