package dev.waybill.jdbc;

import dev.waybill.jdbc.OutboxConditions.Condition;
import dev.waybill.jdbc.OutboxKeySeek.Bounds;
import dev.waybill.store.EventFilter;
import dev.waybill.store.EventFilter.Field;
import dev.waybill.store.EventState;
import dev.waybill.store.FoundEvent;
import dev.waybill.store.OutboxReader.Page;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Searches an outbox table in the order of its keys, latest first, at a cost that does not depend on the table's size. An id, a
 * key, a trace or a state that an index leads to gives the rows at once, if they are few. Everything else walks back through
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

    private static final String LEAD = "SELECT {key} FROM {table} {hint} WHERE :where LIMIT :limit";

    private static final String END_OF_WALK = """
            SELECT {key} FROM {table} {byKey}
            WHERE :where
            ORDER BY {key} DESC
            LIMIT 1 OFFSET :rows""";

    /** Rows that one page of a walk reads. */
    private static final int WALKED_ROWS = 10_000;

    /** Rows that an index may lead to; of more, the latest are as quickly found by a walk. */
    private static final int LED_ROWS = 4_000;

    private static final Set<EventState> WAITING = EnumSet.of(EventState.NEW, EventState.RETRY);
    private static final Set<EventState> LED_STATES = EnumSet.of(EventState.NEW, EventState.RETRY, EventState.DEAD);

    private final OutboxTable table;
    private final OutboxConditions conditions;
    private final OutboxEventReader events;
    private final OutboxKeySeek seek;
    private final String rows;
    private final String among;

    OutboxSearch(OutboxTable table, OutboxConditions conditions, OutboxEventReader events) {
        this.table = table;
        this.conditions = conditions;
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
        List<Condition> all = conditions.of(filter);
        if (filter.eventId() != null) {
            return cut(query(connection, new SqlCall(rows), behind(after, all), limit), limit, null);
        }
        Set<String> led = led(connection, filter);
        if (led != null) {
            return led.isEmpty()
                    ? new Page(List.of(), null)
                    : cut(
                            query(
                                    connection,
                                    table.keyed(new SqlCall(among), List.copyOf(led)),
                                    behind(after, all),
                                    limit),
                            limit,
                            null);
        }
        return walk(connection, filter, limit, after);
    }

    private Page walk(Connection connection, EventFilter filter, int limit, @Nullable String after)
            throws SQLException {
        List<Condition> residual = conditions.of(filter);
        Bounds bounds = filter.fields().contains(Field.TIME)
                ? seek.bounds(connection, filter.from(), filter.to())
                : Bounds.NONE;
        List<Condition> range = new ArrayList<>();
        add(range, "<", after);
        add(range, "<", bounds.before());
        add(range, ">=", bounds.from());
        String end = residual.isEmpty() ? null : endOfWalk(connection, range);
        add(range, ">=", end);
        residual.forEach(condition -> range.add(unindexed(condition)));
        return cut(query(connection, new SqlCall(rows), range, limit), limit, end);
    }

    private @Nullable String endOfWalk(Connection connection, List<Condition> range) throws SQLException {
        List<String> end = where(new SqlCall(table.sql(END_OF_WALK)), range)
                .set("rows", WALKED_ROWS - 1L)
                .query(connection, row -> row.getString(1));
        return end.isEmpty() ? null : end.get(0);
    }

    /** The keys to which an index leads, in no order; null where none does or where they are many. */
    private @Nullable Set<String> led(Connection connection, EventFilter filter) throws SQLException {
        for (Field field : List.of(Field.KEY, Field.TRACE_ID)) {
            OutboxColumn column = conditions.column(field);
            String index = column == null ? null : table.dueIndex(column);
            if (filter.fields().contains(field) && index != null) {
                Set<String> led = new LinkedHashSet<>();
                if (lead(connection, hint(index), conditions.equal(field, filter), led)) {
                    return led;
                }
            }
        }
        return ledByState(connection, filter.states());
    }

    private @Nullable Set<String> ledByState(Connection connection, Set<EventState> states) throws SQLException {
        String byStatus = table.dueIndex(OutboxColumn.STATUS);
        boolean parked = table.mapping().parksSettled();
        if (states.isEmpty() || !LED_STATES.containsAll(states) || (byStatus == null && !parked)) {
            return null;
        }
        boolean byDue = parked && table.dialect() != Dialect.POSTGRESQL; // which has an index for each of these states
        String hint = byDue ? "{byDue}" : byStatus == null ? "" : hint(byStatus);
        Set<String> led = new LinkedHashSet<>();
        String waiting = "{status} IN ({claimable})" + (byDue ? " AND {due} < {deadDue}" : "");
        String dead = "{status} = {DEAD}" + (byDue ? " AND {due} = {deadDue}" : "");
        boolean few = true;
        if (states.stream().anyMatch(WAITING::contains)) {
            few = lead(connection, hint, new Condition(table.sql(waiting), List.of()), led);
        }
        if (few && states.contains(EventState.DEAD)) {
            few = lead(connection, hint, new Condition(table.sql(dead), List.of()), led);
        }
        return few ? led : null;
    }

    private boolean lead(Connection connection, String hint, Condition condition, Set<String> led) throws SQLException {
        List<String> keys = where(new SqlCall(table.sql(LEAD, Map.of("hint", hint))), List.of(condition))
                .set("limit", LED_ROWS + 1L)
                .query(connection, row -> row.getString(1));
        led.addAll(keys);
        return led.size() <= LED_ROWS;
    }

    private String hint(String index) {
        return table.dialect().isMySqlFamily()
                ? "FORCE INDEX (" + table.dialect().quote(index) + ")"
                : "";
    }

    /** A condition for which PostgreSQL looks for no index: it would leave the walk and read all that the index leads to. */
    private Condition unindexed(Condition condition) {
        return table.dialect() == Dialect.POSTGRESQL
                ? new Condition("CASE WHEN " + condition.text() + " THEN TRUE ELSE FALSE END", condition.values())
                : condition;
    }

    private List<Condition> behind(@Nullable String after, List<Condition> more) {
        List<Condition> conditions = new ArrayList<>(more);
        add(conditions, "<", after);
        return conditions;
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

    /** A page of one row more than asked for: whether there are more. */
    private static Page cut(List<FoundEvent> found, int limit, @Nullable String endOfWalk) {
        return found.size() > limit
                ? new Page(
                        List.copyOf(found.subList(0, limit)),
                        found.get(limit - 1).rowKey())
                : new Page(found, endOfWalk);
    }
}
