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

/** Counts rows by state. Reads the index, where there is one; for people and alerts. */
final class OutboxBacklogCounter {

    private static final String COUNT = "SELECT {status}, COUNT(*) FROM {table} GROUP BY {status}";

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
        new SqlCall(table.sql(COUNT))
                .query(connection, row -> byWord.put(String.valueOf(row.getString(1)), row.getLong(2)));
        OutboxMapping mapping = table.mapping();
        long waiting = mapping.claimable().stream()
                .mapToLong(word -> byWord.getOrDefault(word, 0L))
                .sum();
        long tried = tried(connection, byWord);
        return new Backlog(
                waiting - tried, tried, of(byWord, OutboxState.SENT), of(byWord, OutboxState.DEAD), oldest(connection));
    }

    /** A word of its own for RETRY answers without reading the rows. */
    private long tried(Connection connection, Map<String, Long> byWord) throws SQLException {
        boolean told = !Objects.equals(
                        table.mapping().word(OutboxState.RETRY), table.mapping().word(OutboxState.NEW))
                && table.mapping().word(OutboxState.CLAIMED) == null;
        return told
                ? of(byWord, OutboxState.RETRY)
                : new SqlCall(table.sql(COUNT_TRIED))
                        .query(connection, row -> row.getLong(1))
                        .get(0);
    }

    private long of(Map<String, Long> byWord, OutboxState state) {
        return byWord.getOrDefault(Objects.requireNonNull(table.mapping().word(state)), 0L);
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
