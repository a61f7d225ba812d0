package dev.waybill.jdbc;

import dev.waybill.store.DeadLetterStore.Filter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A filter as a condition. Every value is a parameter; signs that LIKE would read as wildcards are escaped. */
final class DeadLetterFilters {

    private final SqlTimes times;
    private final List<String> conditions = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    DeadLetterFilters(Filter filter, SqlTimes times) {
        this.times = times;
        equal("source = ?", filter.source());
        equal("consumer_group = ?", filter.group());
        equal("event_type = ?", filter.eventType());
        equal("state = ?", filter.state() == null ? null : filter.state().name());
        String part = filter.errorContains();
        equal("LOWER(error) LIKE ? ESCAPE '!'", part == null ? null : "%" + literal(part) + "%");
        time("dead_at >= ", filter.from());
        time("dead_at < ", filter.to());
    }

    private void equal(String condition, @Nullable String value) {
        if (value != null) {
            conditions.add(condition);
            values.add(value);
        }
    }

    private void time(String condition, @Nullable Instant instant) {
        if (instant != null) {
            conditions.add(condition + times.instant("?"));
            values.add(times.instantValue(instant));
        }
    }

    private static String literal(String part) {
        return part.toLowerCase(Locale.ROOT).replaceAll("([!%_])", "!$1");
    }

    /** Fills in {@code :filter}. */
    SqlCall into(SqlCall call) {
        return call.part("filter", conditions.isEmpty() ? "1 = 1" : String.join(" AND ", conditions), values);
    }
}
