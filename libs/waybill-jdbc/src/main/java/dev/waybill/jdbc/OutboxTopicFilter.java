package dev.waybill.jdbc;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Leaves out rows of some topics, where the table has a column for topics. Of more topics than a statement takes, always the
 * same ones are left out.
 */
record OutboxTopicFilter(Set<String> exceptTopics) {

    /** A statement with or without its {@code {exceptTopics}} part. */
    SqlCall call(OutboxTable table, String template, Map<String, String> placeholders) {
        if (exceptTopics.isEmpty() || !table.has(OutboxColumn.TOPIC)) {
            return new SqlCall(table.sql(template, placeholders));
        }
        Map<String, String> all = new HashMap<>(placeholders);
        all.put("exceptTopics", "(:topics)");
        return new SqlCall(table.sql(template, all))
                .list(
                        "topics",
                        exceptTopics.stream()
                                .sorted()
                                .limit(SqlCall.MOST_VALUES)
                                .toList());
    }
}
