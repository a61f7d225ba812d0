package dev.waybill.jdbc;

import dev.waybill.jdbc.OutboxConditions.Condition;
import dev.waybill.jdbc.OutboxKeySeek.Bounds;
import dev.waybill.store.EventFilter;
import dev.waybill.store.EventFilter.Field;
import dev.waybill.store.FoundEvent;
import dev.waybill.store.OutboxReader.Page;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Searches an outbox table in the order of its keys, latest first, at a cost that does not depend on the table's size. An id gives the row
 * at once, and so does what {@link OutboxLeads} finds. Everything else walks back through
 * the table: a page reads so many rows at most, and the next one goes on where it stopped.
 */
final class OutboxSearch {

    private static final String ROWS = """
            SELECT {rowWithoutPayload}, {status} AS wb_state, {bornMicros} AS wb_born
            FROM {table} {byKey}
            WHERE :where
            ORDER BY {key} DESC
            LIMIT :limit""";

    private static final String AMONG = ROWS.replace(":where", "{keyed} AND :where");

    private static final String END_OF_STEP = """
            SELECT {key} FROM {table} {byKey}
            WHERE :where
            ORDER BY {key} DESC
            LIMIT 1 OFFSET :rows""";

    /** Rows that one page of a walk reads: first a few, because what many look for is often near, then the rest of 10,000. */
    private static final List<Long> STEPS = List.of(500L, 9_500L);

    private final OutboxTable table;
    private final OutboxConditions conditions;
    private final OutboxLeads leads;
    private final OutboxEventReader events;
    private final OutboxKeySeek seek;
    private final String rows;
    private final String among;

    OutboxSearch(OutboxTable table, OutboxConditions conditions, OutboxEventReader events) {
        this.table = table;
        this.conditions = conditions;
        this.leads = new OutboxLeads(table, conditions);
        this.events = events;
        this.seek = new OutboxKeySeek(table, events.bornMicros());
        this.rows = table.sql(ROWS, Map.of("bornMicros", events.bornMicros()));
        this.among = table.sql(AMONG, Map.of("bornMicros", events.bornMicros()));
    }

    Page page(Connection connection, EventFilter filter, int limit, @Nullable String after) throws SQLException {
        conditions.check(filter);
        if (after != null && !conditions.fits(table.mapping().key(), after)) {
            throw new IllegalArgumentException("no page of this search ends there");
        }
        if (filter.eventId() != null) {
            List<Condition> where = new ArrayList<>(conditions.of(filter));
            add(where, "<", after);
            return cut(query(connection, new SqlCall(rows), where, limit), limit);
        }
        List<String> led = leads.keys(connection, filter, after);
        return led == null ? walk(connection, filter, limit, after) : among(connection, filter, limit, led);
    }

    /** Reads rows until the page is full: of the rows that fit many may be of no interest to the rest of the filter. */
    private Page among(Connection connection, EventFilter filter, int limit, List<String> led) throws SQLException {
        List<Condition> all = conditions.of(filter);
        List<FoundEvent> found = new ArrayList<>();
        int step = limit + 1;
        for (int from = 0; from < led.size() && found.size() <= limit; from += step) {
            List<String> some = led.subList(from, Math.min(led.size(), from + step));
            found.addAll(query(connection, table.keyed(new SqlCall(among), some), all, limit - found.size()));
        }
        return cut(found, limit);
    }

    private Page walk(Connection connection, EventFilter filter, int limit, @Nullable String after)
            throws SQLException {
        List<Condition> residual =
                conditions.of(filter).stream().map(this::unindexed).toList();
        Bounds bounds = filter.fields().contains(Field.TIME)
                ? seek.bounds(connection, filter.from(), filter.to())
                : Bounds.NONE;
        List<FoundEvent> found = new ArrayList<>();
        String place = after;
        for (long rowsToRead : STEPS) {
            List<Condition> range = new ArrayList<>();
            add(range, "<", place);
            add(range, "<", bounds.before());
            add(range, ">=", bounds.from());
            String end = residual.isEmpty() ? null : end(connection, range, rowsToRead);
            add(range, ">=", end);
            range.addAll(residual);
            found.addAll(query(connection, new SqlCall(rows), range, limit - found.size()));
            if (found.size() > limit || end == null) {
                return cut(found, limit);
            }
            place = end;
        }
        return new Page(List.copyOf(found), place);
    }

    /** The last key of so many rows; null when there are fewer. */
    private @Nullable String end(Connection connection, List<Condition> range, long rowsToRead) throws SQLException {
        List<String> end = where(new SqlCall(table.sql(END_OF_STEP)), range)
                .set("rows", rowsToRead - 1)
                .query(connection, row -> row.getString(1));
        return end.isEmpty() ? null : end.get(0);
    }

    /** A condition for which PostgreSQL looks for no index: it would leave the walk and read all that the index leads to. */
    private Condition unindexed(Condition condition) {
        return table.dialect() == Dialect.POSTGRESQL
                ? new Condition("CASE WHEN " + condition.text() + " THEN TRUE ELSE FALSE END", condition.values())
                : condition;
    }

    private void add(List<Condition> conditions, String sign, @Nullable String key) {
        if (key != null) {
            OutboxColumn column = table.mapping().key();
            conditions.add(new Condition(
                    table.quoted(column) + " " + sign + " " + table.parameter(column, "?"),
                    List.of(table.keyValue(key))));
        }
    }

    private List<FoundEvent> query(Connection connection, SqlCall call, List<Condition> conditions, int limit)
            throws SQLException {
        return where(call, conditions).set("limit", limit + 1L).query(connection, events::found);
    }

    private static SqlCall where(SqlCall call, List<Condition> conditions) {
        String text = conditions.stream().map(Condition::text).collect(Collectors.joining(" AND "));
        return call.part(
                "where",
                text.isEmpty() ? "1 = 1" : text,
                conditions.stream().flatMap(each -> each.values().stream()).toList());
    }

    /** A page of what was read with one row more than asked for, to know whether there are more. */
    private static Page cut(List<FoundEvent> found, int limit) {
        return found.size() > limit
                ? new Page(
                        List.copyOf(found.subList(0, limit)),
                        found.get(limit - 1).rowKey())
                : new Page(List.copyOf(found), null);
    }
}
