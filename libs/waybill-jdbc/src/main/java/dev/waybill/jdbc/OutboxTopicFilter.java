package dev.waybill.jdbc;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Leaves out rows of some topics, where the table has a column for topics. */
record OutboxTopicFilter(Set<String> exceptTopics) {

    /** A statement with or without its {@code {exceptTopics}} part. */
    SqlCall call(OutboxTable table, String template, Map<String, String> placeholders) {
        if (exceptTopics.isEmpty() || !table.has(OutboxColumn.TOPIC)) {
            return new SqlCall(table.sql(template, placeholders));
        }
        Map<String, String> all = new HashMap<>(placeholders);
        all.put("exceptTopics", "(:topics)");
        return new SqlCall(table.sql(template, all)).list("topics", List.copyOf(exceptTopics));
    }
}
