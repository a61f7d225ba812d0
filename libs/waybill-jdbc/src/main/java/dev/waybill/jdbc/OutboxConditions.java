package dev.waybill.jdbc;

import dev.waybill.store.EventFilter;
import dev.waybill.store.EventFilter.Field;
import dev.waybill.store.EventState;
import dev.waybill.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A person's filter as conditions on an outbox table. Every value is a parameter. */
final class OutboxConditions {

    /** Beyond these MySQL and MariaDB tell no time of the session's zone; nothing was written there. */
    private static final Instant EARLIEST = Instant.parse("1971-01-01T00:00:00Z");

    private static final Instant LATEST = Instant.parse("2037-12-31T00:00:00Z");

    /** One condition; its values are those of its question marks. */
    record Condition(String text, List<Object> values) {}

    private final OutboxTable table;

    OutboxConditions(OutboxTable table) {
        this.table = table;
    }

    /** What the table has a column for. */
    Set<Field> fields() {
        Set<Field> fields = EnumSet.of(Field.STATE);
        for (Field field : Field.values()) {
            if (field == Field.TIME ? timeColumn() != null : column(field) != null) {
                fields.add(field);
            }
        }
        return fields;
    }

    /** Refuses what the table cannot tell. */
    void check(EventFilter filter) {
        Set<Field> missing = filter.fields();
        missing.removeAll(fields());
        if (!missing.isEmpty()) {
            throw new StoreException(
                    StoreException.Reason.UNSUPPORTED,
                    "table " + table.name() + " has no column to search by " + missing + "; it can be searched by "
                            + fields(),
                    null);
        }
    }

    /** The column that answers a filter for one value. */
    @Nullable OutboxColumn column(Field field) {
        OutboxColumn column = switch (field) {
            case EVENT_ID -> table.mapping().keyIsEventId() ? OutboxColumn.KEY : OutboxColumn.EVENT_ID;
            case KEY -> table.has(OutboxColumn.BIZ_KEY) ? OutboxColumn.BIZ_KEY : OutboxColumn.AGGREGATE_ID;
            case TRACE_ID -> OutboxColumn.TRACE_ID;
            case TYPE -> OutboxColumn.TYPE;
            case TOPIC -> OutboxColumn.TOPIC;
            case TAG -> OutboxColumn.TAG;
            case STATE, TIME -> null;
        };
        return column != null && table.has(column) ? column : null;
    }

    /** When a row was written, as far as the table tells. */
    @Nullable OutboxColumn timeColumn() {
        OutboxColumn column = table.has(OutboxColumn.CREATED_AT) ? OutboxColumn.CREATED_AT : OutboxColumn.OCCURRED_AT;
        return table.has(column) ? column : null;
    }

    List<Condition> of(EventFilter filter) {
        List<Condition> conditions = new ArrayList<>();
        for (Field field : filter.fields()) {
            switch (field) {
                case STATE -> conditions.add(states(filter.states()));
                case TIME -> times(filter, conditions);
                case EVENT_ID, KEY, TRACE_ID, TYPE, TOPIC, TAG -> conditions.add(equal(field, filter));
            }
        }
        return conditions;
    }

    /** One value in its column. What the column cannot hold is in none of its rows. */
    Condition equal(Field field, EventFilter filter) {
        OutboxColumn column = column(field);
        String value = value(field, filter);
        if (column == null || value == null || !fits(column, value)) {
            return new Condition("1 = 0", List.of());
        }
        boolean numeric = table.shapeOf(column).numeric();
        return new Condition(
                table.quoted(column) + " = " + table.parameter(column, "?"),
                List.of(numeric ? (Object) Long.valueOf(value) : value));
    }

    private static @Nullable String value(Field field, EventFilter filter) {
        return switch (field) {
            case EVENT_ID -> filter.eventId();
            case KEY -> filter.key();
            case TRACE_ID -> filter.traceId();
            case TYPE -> filter.type();
            case TOPIC -> filter.topic();
            case TAG -> filter.tag();
            case STATE, TIME -> null;
        };
    }

    /**
     * Whether a column can hold this text. MySQL would read a whole table to find out that no id of plain characters is equal
     * to one that has others.
     */
    boolean fits(OutboxColumn column, String value) {
        SqlTableMetadata.Column shaped = table.shapeOf(column);
        if (shaped.numeric()) {
            return isWholeNumber(value);
        }
        if (shaped.typeName().toLowerCase(Locale.ROOT).equals("uuid")) {
            return value.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
        }
        boolean plainIds = column == OutboxColumn.EVENT_ID
                && table.mapping().layout().equals(OutboxLayouts.waybill().layout());
        return !plainIds || value.chars().allMatch(character -> character >= ' ' && character <= '~');
    }

    /** Whether a column of whole numbers can hold it: the largest ones have 19 digits, and not all that have 19 are such. */
    private static boolean isWholeNumber(String value) {
        if (!value.matches("-?[0-9]{1,19}")) {
            return false;
        }
        try {
            Long.parseLong(value);
            return true;
        } catch (NumberFormatException e) {
            return false; // larger than any of them
        }
    }

    private void times(EventFilter filter, List<Condition> conditions) {
        OutboxColumn column = timeColumn();
        if (column != null) {
            time(column, ">=", filter.from(), conditions);
            time(column, "<", filter.to(), conditions);
        }
    }

    private void time(OutboxColumn column, String sign, @Nullable Instant moment, List<Condition> conditions) {
        if (moment != null) {
            conditions.add(new Condition(
                    table.quoted(column) + " " + sign + " " + table.times().instant("?"),
                    List.of(table.times().instantValue(told(moment)))));
        }
    }

    /** The moment, or the nearest one that every database can tell. */
    static Instant told(Instant moment) {
        return moment.isBefore(EARLIEST) ? EARLIEST : moment.isAfter(LATEST) ? LATEST : moment;
    }

    private Condition states(Set<EventState> states) {
        String text = states.stream().sorted().map(this::state).collect(Collectors.joining(" OR ", "(", ")"));
        return new Condition(table.sql(text), List.of());
    }

    private String state(EventState state) {
        return switch (state) {
            case NEW -> "({status} IN ({claimable}) AND {attempts} = 0)";
            case RETRY -> "({status} IN ({claimable}) AND {attempts} > 0)";
            case SENT -> "{status} = {SENT}";
            case DEAD -> "{status} = {DEAD}";
            case DISCARDED -> table.mapping().word(OutboxState.DISCARDED) == null ? "1 = 0" : "{status} = {DISCARDED}";
            case OTHER -> "{status} NOT IN (" + words() + ")";
        };
    }

    private String words() {
        return table.mapping().words(EnumSet.allOf(OutboxState.class)).stream()
                .map(table::literal)
                .collect(Collectors.joining(", ", "", ", {claimable}"));
    }

    /** The state that a status word and a count of failures mean. */
    EventState state(String word, int attempts) {
        OutboxMapping mapping = table.mapping();
        if (mapping.claimable().contains(word)) {
            return attempts > 0 ? EventState.RETRY : EventState.NEW;
        }
        if (word.equals(mapping.word(OutboxState.SENT))) {
            return EventState.SENT;
        }
        if (word.equals(mapping.word(OutboxState.DEAD))) {
            return EventState.DEAD;
        }
        return word.equals(mapping.word(OutboxState.DISCARDED)) ? EventState.DISCARDED : EventState.OTHER;
    }
}
