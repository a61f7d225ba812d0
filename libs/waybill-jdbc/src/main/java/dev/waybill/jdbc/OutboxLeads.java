package dev.waybill.jdbc;

import dev.waybill.jdbc.OutboxConditions.Condition;
import dev.waybill.store.EventFilter;
import dev.waybill.store.EventFilter.Field;
import dev.waybill.store.EventState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the keys of rows to which an index leads: by a business key or a trace, where the table has such an index, or by a state in which
 * few rows are. Only keys are read, and no more than so many.
 */
final class OutboxLeads {

    private static final String LEAD = "(SELECT {key} AS row_key FROM {table} {hint} WHERE :where LIMIT :limit)";

    private static final String LED = """
            SELECT led.row_key, CASE WHEN {behind} THEN 1 ELSE 0 END
            FROM (:leads) led
            ORDER BY led.row_key DESC""";

    /** Rows that an index may lead to; of more, the latest are as quickly found by a walk. */
    private static final int MOST = 4_000;

    private static final Set<EventState> WAITING = EnumSet.of(EventState.NEW, EventState.RETRY);
    private static final Set<EventState> FEW = EnumSet.of(EventState.NEW, EventState.RETRY, EventState.DEAD);

    /** A condition that an index answers. */
    private record Lead(String hint, Condition condition) {}

    private record Led(String key, boolean behind) {}

    private final OutboxTable table;
    private final OutboxConditions conditions;

    OutboxLeads(OutboxTable table, OutboxConditions conditions) {
        this.table = table;
        this.conditions = conditions;
    }

    /** The keys behind a place, in the order of the search; null where no index leads to few rows. */
    @Nullable List<String> keys(Connection connection, EventFilter filter, @Nullable String after) throws SQLException {
        for (List<Lead> way : ways(filter)) {
            List<Led> led = follow(connection, way, after);
            if (led.size() <= MOST) {
                return led.stream().filter(Led::behind).map(Led::key).toList();
            }
        }
        return null;
    }

    private List<List<Lead>> ways(EventFilter filter) {
        List<List<Lead>> ways = new ArrayList<>();
        for (Field field : List.of(Field.KEY, Field.TRACE_ID)) {
            OutboxColumn column = conditions.column(field);
            String index = column == null ? null : table.dueIndex(column);
            if (filter.fields().contains(field) && index != null) {
                ways.add(List.of(new Lead(hint(index), conditions.equal(field, filter))));
            }
        }
        List<Lead> byState = byState(filter.states());
        if (!byState.isEmpty()) {
            ways.add(byState);
        }
        return ways;
    }

    private List<Lead> byState(Set<EventState> states) {
        String byStatus = table.dueIndex(OutboxColumn.STATUS);
        boolean parked = table.mapping().parksSettled();
        if (states.isEmpty() || !FEW.containsAll(states) || (byStatus == null && !parked)) {
            return List.of();
        }
        boolean byDue = parked && table.dialect() != Dialect.POSTGRESQL; // which has an index for each of these states
        String hint = byDue ? "{byDue}" : byStatus == null ? "" : hint(byStatus);
        List<Lead> leads = new ArrayList<>();
        if (states.stream().anyMatch(WAITING::contains)) {
            leads.add(lead(hint, "{status} IN ({claimable})" + (byDue ? " AND {due} < {deadDue}" : "")));
        }
        if (states.contains(EventState.DEAD)) {
            leads.add(lead(hint, "{status} = {DEAD}" + (byDue ? " AND {due} = {deadDue}" : "")));
        }
        return leads;
    }

    private Lead lead(String hint, String condition) {
        return new Lead(hint, new Condition(table.sql(condition), List.of()));
    }

    private String hint(String index) {
        return table.dialect().isMySqlFamily()
                ? "FORCE INDEX (" + table.dialect().quote(index) + ")"
                : "";
    }

    private List<Led> follow(Connection connection, List<Lead> way, @Nullable String after) throws SQLException {
        String text = way.stream()
                .map(lead -> table.sql(LEAD, Map.of("hint", lead.hint()))
                        .replace(":where", lead.condition().text())
                        .replace(":limit", String.valueOf(MOST + 1)))
                .collect(Collectors.joining("\nUNION ALL\n"));
        List<Object> values =
                way.stream().flatMap(lead -> lead.condition().values().stream()).toList();
        String behind = after == null
                ? "1 = 1"
                : "led.row_key < " + table.parameter(table.mapping().key(), ":after");
        SqlCall call = new SqlCall(table.sql(LED, Map.of("behind", behind))).part("leads", text, values);
        if (after != null) {
            call.set("after", table.keyValue(after));
        }
        return call.query(connection, row -> new Led(row.getString(1), row.getInt(2) == 1));
    }
}
