package dev.waybill.marketplace.running;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** The two tables whose columns, types, keys and indexes are frozen, as information_schema shows them on MariaDB and MySQL. */
public final class FrozenTables {

    private FrozenTables() {}

    public static void assertIn(RunningMarket market) {
        assertThat(columns(market, "outbox_events"))
                .containsExactly(
                        "id bigint(20) NO PRI auto_increment",
                        "event_id varchar(64) NO UNI",
                        "event_type varchar(64) NO",
                        "aggregate_type varchar(64) NO MUL",
                        "aggregate_id bigint(20) NO",
                        "payload text NO",
                        "status varchar(16) NO MUL",
                        "retry_count int(11) NO default 0",
                        "next_retry_time datetime YES",
                        "create_time datetime NO",
                        "update_time datetime NO");
        assertThat(indexes(market, "outbox_events"))
                .containsExactlyInAnyOrder(
                        "PRIMARY unique id",
                        "event_id unique event_id",
                        "idx_status_time status,next_retry_time",
                        "idx_aggregate aggregate_type,aggregate_id");
        assertThat(columns(market, "event_consume_log"))
                .containsExactly(
                        "id bigint(20) NO PRI auto_increment",
                        "event_id varchar(64) NO UNI",
                        "event_type varchar(64) NO",
                        "consumer varchar(64) NO",
                        "consume_time datetime NO");
        assertThat(indexes(market, "event_consume_log"))
                .containsExactlyInAnyOrder("PRIMARY unique id", "event_id unique event_id");
    }

    private static List<String> columns(RunningMarket market, String table) {
        return market
                .rows(
                        "SELECT column_name, column_type, is_nullable, column_key, column_default, extra"
                                + " FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ?"
                                + " ORDER BY ordinal_position",
                        table)
                .stream()
                .map(row -> {
                    String plain = row.get("column_name") + " " + row.get("column_type") + " " + row.get("is_nullable")
                            + " " + row.get("column_key") + " " + row.get("extra");
                    Object otherwise = row.get("column_default");
                    boolean none = otherwise == null || otherwise.equals("NULL");
                    return plain.replaceAll(" +", " ").strip() + (none ? "" : " default " + otherwise);
                })
                .toList();
    }

    private static List<String> indexes(RunningMarket market, String table) {
        return market
                .rows(
                        "SELECT index_name, MAX(non_unique) AS non_unique,"
                                + " GROUP_CONCAT(column_name ORDER BY seq_in_index) AS columns"
                                + " FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ?"
                                + " GROUP BY index_name",
                        table)
                .stream()
                .map(row -> row.get("index_name")
                        + (((Number) row.get("non_unique")).intValue() == 0 ? " unique " : " ")
                        + row.get("columns"))
                .toList();
    }
}
