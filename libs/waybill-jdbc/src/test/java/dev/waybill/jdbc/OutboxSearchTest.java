package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.store.EventFilter;
import dev.waybill.store.EventState;
import dev.waybill.store.FoundEvent;
import dev.waybill.store.OutboxReader.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Searches in tables of more rows than one page reads: nothing is missed, and what an index leads to is not walked for. */
@Servers({Server.MARIADB, Server.POSTGRESQL})
class OutboxSearchTest {

    private static final int ROWS = 12_000;
    private static final String COLUMNS = "INSERT INTO waybill_outbox (event_id, event_type, biz_key, occurred_at,"
            + " created_at, payload, status, attempts, due_at) SELECT ";

    /** Half of the rows are DEAD, and the oldest one is the only one of its type. */
    private static final String VALUES =
            "%s, CASE WHEN n = 1 THEN 'Rare' ELSE 'Common' END, CONCAT('KEY', n), %s, %s, '{}',"
                    + " CASE WHEN n > 6000 THEN 'SENT' ELSE 'DEAD' END, 1, %s FROM %s";

    @Test
    void onMariaDb(MariaDb server) {
        String made = VALUES.formatted(
                "CONCAT('01990000-0000-7000-8000-', LPAD(n, 12, '0'))",
                "'2026-01-01'",
                "'2026-01-01'",
                "CASE WHEN n > 6000 THEN '9999-12-31' ELSE '9998-12-31' END",
                "(SELECT seq AS n FROM seq_1_to_" + ROWS + ") AS rows_made");
        searches(server.freshDatabase(), made);
    }

    @Test
    void onPostgreSql(PostgreSql server) {
        searches(server.freshDatabase(), zoned("generate_series(1, " + ROWS + ") AS n"));
    }

    @Test
    void onH2() {
        searches(TestPool.h2(), zoned("(SELECT x AS n FROM SYSTEM_RANGE(1, " + ROWS + ")) AS made"));
    }

    private static String zoned(String rows) {
        return VALUES.formatted(
                "CONCAT('01990000-0000-7000-8000-', LPAD(CAST(n AS VARCHAR(12)), 12, '0'))",
                time("2026-01-01"),
                time("2026-01-01"),
                "CASE WHEN n > 6000 THEN " + time("9999-12-31") + " ELSE " + time("9998-12-31") + " END",
                rows);
    }

    private static String time(String day) {
        return "TIMESTAMP WITH TIME ZONE '" + day + " 00:00:00+00'";
    }

    private static void searches(Database database, String rows) {
        try (TestPool pool = new TestPool(database)) {
            Ddl.apply(pool.connections(), OutboxLayouts.waybill());
            pool.execute(COLUMNS + rows);
            List<String> sent = new ArrayList<>();
            JdbcOutboxReader reader = new JdbcOutboxReader(
                    StatementObserver.over(pool.connections(), sent::add), OutboxLayouts.waybill(), "shop");

            Page first = reader.search(EventFilter.any().withType("Rare"), 10, null);
            assertThat(first.events()).as("too far away for one page").isEmpty();
            Page second = reader.search(EventFilter.any().withType("Rare"), 10, first.next());
            assertThat(second.events()).extracting(FoundEvent::key).containsExactly("KEY1");
            assertThat(second.next()).isNull();

            assertThat(all(reader, EventFilter.any().withStates(Set.of(EventState.DEAD))))
                    .as("more than an index may lead to")
                    .hasSize(6_000)
                    .doesNotHaveDuplicates();

            EventFilter byKey = EventFilter.any().withKey("KEY42");
            sent.clear();
            assertThat(all(reader, byKey)).containsExactly("KEY42");
            assertThat(sent).as("without an index").anyMatch(sql -> sql.contains("OFFSET"));
            Ddl.applySearchIndexes(pool.connections(), OutboxLayouts.waybill());
            Ddl.applySearchIndexes(pool.connections(), OutboxLayouts.waybill()); // a second time must change nothing
            JdbcOutboxReader indexed = new JdbcOutboxReader(
                    StatementObserver.over(pool.connections(), sent::add), OutboxLayouts.waybill(), "shop");
            indexed.fields();
            sent.clear();
            assertThat(all(indexed, byKey)).containsExactly("KEY42");
            assertThat(sent).as("with an index").noneMatch(sql -> sql.contains("OFFSET"));
        }
    }

    private static List<String> all(JdbcOutboxReader reader, EventFilter filter) {
        List<String> keys = new ArrayList<>();
        String next = null;
        do {
            Page page = page(reader, filter, next);
            page.events().forEach(event -> keys.add(String.valueOf(event.key())));
            next = page.next();
        } while (next != null);
        return keys;
    }

    private static Page page(JdbcOutboxReader reader, EventFilter filter, @Nullable String after) {
        return reader.search(filter, 200, after);
    }
}
