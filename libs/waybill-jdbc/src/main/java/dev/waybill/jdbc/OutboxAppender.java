package dev.waybill.jdbc;

import dev.waybill.message.Event;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Lease;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Adds rows inside the caller's transaction: one INSERT, and no read to learn the fence. Where PostgreSQL is to tell relays in
 * other processes, rows that no relay of this one takes do so with that INSERT.
 */
final class OutboxAppender {

    private static final String APPEND = "INSERT INTO {table} ({columns}) VALUES :rows";
    private static final String APPEND_RETURNING = APPEND + " RETURNING {key}";

    /** With the notification in the same statement, an append that wakes others costs no round trip more. */
    private static final String APPEND_NOTIFYING = APPEND + " RETURNING pg_notify('{channel}', '')";

    private static final String APPEND_RETURNING_NOTIFYING = APPEND_RETURNING + ", pg_notify('{channel}', '')";
    private static final String ASK_STEP = "SELECT @@auto_increment_increment";

    /** Rows of one INSERT: databases and drivers limit a statement to 65,535 parameters. */
    private static final int LONGEST = 1_000;

    /**
     * As long as a relay's token: on InnoDB a claim that makes the rows of a full page longer splits the page, which costs more
     * than the rest of the claim.
     */
    private static final String NOBODY = "'" + "-".repeat(32) + "'";

    private final OutboxTable table;
    private final OutboxRowCodec codec;
    private final SqlDatabaseClock clock;
    private final OutboxTextLimits limits;
    private final List<OutboxColumn> columns;
    private final String append;
    /** Null where nobody is notified. */
    private final @Nullable String appendNotifying;

    private final NotifyThrottle notifyThrottle = new NotifyThrottle(System::nanoTime);
    private final String nobody;

    /**
     * Makes the statements.
     *
     * @param channel where relays in other processes listen; null where they do not
     */
    OutboxAppender(OutboxTable table, OutboxRowCodec codec, SqlDatabaseClock clock, @Nullable String channel) {
        this.table = table;
        this.codec = codec;
        this.clock = clock;
        this.limits = new OutboxTextLimits(table);
        this.columns = table.mapping().columns().keySet().stream()
                .filter(OutboxAppender::written)
                .toList();
        String names = columns.stream().map(table::quoted).collect(Collectors.joining(", "));
        boolean inPlace = table.dialect() == Dialect.MARIADB || table.dialect() == Dialect.MYSQL;
        this.nobody = inPlace ? NOBODY : "NULL";
        this.append = table.sql(returnsKeys() ? APPEND_RETURNING : APPEND, Map.of("columns", names));
        this.appendNotifying = channel == null
                ? null
                : table.sql(
                        returnsKeys() ? APPEND_RETURNING_NOTIFYING : APPEND_NOTIFYING,
                        Map.of("columns", names, "channel", channel));
    }

    private static boolean written(OutboxColumn column) {
        return switch (column) {
            case KEY, BROKER_ID, ERROR, SENT_AT -> false;
            default -> true;
        };
    }

    private boolean returnsKeys() {
        boolean speaksReturning = table.dialect() == Dialect.MARIADB || table.dialect() == Dialect.POSTGRESQL;
        return table.has(OutboxColumn.KEY) && speaksReturning;
    }

    List<ClaimedEvent> append(Connection connection, List<Event> events, @Nullable Lease lease) throws SQLException {
        List<ClaimedEvent> claimedEvents = new ArrayList<>(events.size());
        for (int from = 0; from < events.size(); from += LONGEST) {
            claimedEvents.addAll(
                    insert(connection, events.subList(from, Math.min(events.size(), from + LONGEST)), lease));
        }
        return claimedEvents;
    }

    private List<ClaimedEvent> insert(Connection connection, List<Event> events, @Nullable Lease lease)
            throws SQLException {
        Cell due = due(connection, lease);
        List<String> rows = new ArrayList<>(events.size());
        List<@Nullable Object> values = new ArrayList<>(events.size() * columns.size());
        for (Event event : events) {
            Map<OutboxColumn, String> row = codec.encode(event);
            limits.check(connection, event, row);
            List<String> cells = new ArrayList<>(columns.size());
            for (OutboxColumn column : columns) {
                Cell cell = column == OutboxColumn.DUE ? due : cell(column, row, lease);
                cells.add(cell.text());
                values.addAll(cell.values());
            }
            rows.add("(" + String.join(", ", cells) + ")");
        }
        String notifying = lease == null && notifyThrottle.allows() ? appendNotifying : null;
        SqlCall call =
                new SqlCall(notifying == null ? append : notifying).part("rows", String.join(", ", rows), values);
        if (!table.has(OutboxColumn.KEY)) {
            if (notifying == null) {
                call.update(connection);
            } else {
                call.query(connection, row -> true);
            }
            return claimedEvents(events, null, due, lease);
        }
        List<Long> keys = returnsKeys()
                ? call.query(connection, row -> row.getLong(1))
                : call.insert(connection, table.shapeOf(OutboxColumn.KEY).name());
        return claimedEvents(events, complete(connection, keys, events.size()), due, lease);
    }

    /** A place in the row: its text, and the values of its parameters. */
    private record Cell(String text, List<? extends @Nullable Object> values, String fence) {

        static Cell of(String text) {
            return new Cell(text, List.of(), "");
        }

        static Cell of(String text, Object value) {
            return new Cell(text, List.of(value), "");
        }
    }

    private Cell cell(OutboxColumn column, Map<OutboxColumn, String> row, @Nullable Lease lease) {
        return switch (column) {
            case STATUS ->
                Cell.of(table.literal(Objects.requireNonNull(table.mapping().word(OutboxState.NEW))));
            case ATTEMPTS, VERSION -> Cell.of("0");
            case CREATED_AT, UPDATED_AT -> Cell.of(table.times().nowInside());
            case TOKEN -> lease == null ? Cell.of(nobody) : Cell.of("?", lease.token());
            default -> cell(column, row.get(column));
        };
    }

    private Cell cell(OutboxColumn column, @Nullable String text) {
        if (text == null) {
            return Cell.of("NULL");
        }
        if (column == OutboxColumn.OCCURRED_AT) {
            return Cell.of(
                    table.times().instant("?"), table.times().instantValue(SqlTimes.instantOf(Long.parseLong(text))));
        }
        boolean number = table.shapeOf(column).numeric();
        return Cell.of(table.parameter(column, "?"), number ? (Object) Long.valueOf(text) : text);
    }

    private Cell due(Connection connection, @Nullable Lease lease) throws SQLException {
        SqlTimes times = table.times();
        if (lease == null) {
            return Cell.of(times.nowInside());
        }
        boolean fence = table.mapping().fence() == OutboxMapping.Fence.DUE;
        if (fence || table.dialect() == Dialect.H2) {
            long wallClock = times.wallClockAfter(clock.wallClockMicros(connection, table), lease.duration());
            return new Cell(
                    times.fromWallClock("?"),
                    List.of(times.wallClockValue(wallClock)),
                    fence ? String.valueOf(wallClock) : "");
        }
        return Cell.of(times.plus(times.nowInside(), "?"), times.ticks(lease.duration()));
    }

    private List<ClaimedEvent> claimedEvents(
            List<Event> events, @Nullable List<Long> keys, Cell due, @Nullable Lease lease) {
        String fence = switch (table.mapping().fence()) {
            case TOKEN -> lease == null ? "" : lease.token();
            case VERSION -> "0";
            case DUE -> due.fence();
        };
        List<ClaimedEvent> claimedEvents = new ArrayList<>(events.size());
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            String key = keys == null ? event.eventId() : String.valueOf(keys.get(i));
            Event stored = table.mapping().keyIsEventId()
                    ? event.toBuilder().eventId(key).build()
                    : event;
            claimedEvents.add(new ClaimedEvent(key, stored, 0, fence));
        }
        return claimedEvents;
    }

    /** Some drivers tell only the first key of several rows; MySQL makes those of one INSERT in even steps. */
    private List<Long> complete(Connection connection, List<Long> keys, int wanted) throws SQLException {
        if (keys.size() == wanted) {
            return keys;
        }
        if (keys.size() != 1 || table.dialect() != Dialect.MYSQL) {
            throw new StoreException(
                    StoreException.Reason.FAILED,
                    "the driver told " + keys.size() + " keys for " + wanted + " rows of " + table.name(),
                    null);
        }
        long step =
                new SqlCall(ASK_STEP).query(connection, row -> row.getLong(1)).get(0);
        long first = keys.get(0);
        return LongStream.range(0, wanted).mapToObj(i -> first + i * step).toList();
    }
}
