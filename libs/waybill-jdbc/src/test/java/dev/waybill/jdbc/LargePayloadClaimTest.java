package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Event;
import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.MySql;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.store.ClaimLimit;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Claims of large rows: payloads are read for the rows that are taken, and few rows are locked in vain. */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL})
class LargePayloadClaimTest {

    private static final Lease LONG = new Lease("long", Duration.ofMinutes(1));

    @Test
    void largePayloadsAreReadOnlyWhenTheirRowsAreTakenOnMariaDb(MariaDb server) {
        largePayloadsAreReadOnlyWhenTheirRowsAreTaken(server.freshDatabase());
    }

    @Test
    void largePayloadsAreReadOnlyWhenTheirRowsAreTakenOnMySql(MySql server) {
        largePayloadsAreReadOnlyWhenTheirRowsAreTaken(server.freshDatabase());
    }

    @Test
    void largePayloadsAreReadOnlyWhenTheirRowsAreTakenOnPostgreSql(PostgreSql server) {
        largePayloadsAreReadOnlyWhenTheirRowsAreTaken(server.freshDatabase());
    }

    @Test
    void largePayloadsAreReadOnlyWhenTheirRowsAreTakenOnH2() {
        largePayloadsAreReadOnlyWhenTheirRowsAreTaken(TestPool.h2());
    }

    /** Sizes around the borders: with the lock, read later, larger than a transaction's share, larger than the whole limit. */
    private static void largePayloadsAreReadOnlyWhenTheirRowsAreTaken(Database database) {
        List<Integer> sizes = List.of(10, 70_000, 3_000_000, 3_000_000, 5_000_000, 100, 9_000_000, 1_000_000, 20);
        try (JdbcOutboxFixture fixture = new JdbcOutboxFixture(database, TestTable.WAYBILL)) {
            List<Event> events = appendSized(fixture, sizes);
            List<ClaimedEvent> all = new ArrayList<>();
            int claims = 0;
            while (all.size() < events.size() && claims++ < 20) {
                List<ClaimedEvent> some =
                        ClaimedRow.events(fixture.store().claim(LONG, new ClaimLimit(100, 8_000_000), Set.of()));
                assertThat(some).isNotEmpty();
                long bytes = some.stream()
                        .mapToLong(each -> each.event().payload().length())
                        .sum();
                assertThat(some.size() == 1 || bytes < 8_100_000)
                        .as("%d bytes in %d rows", bytes, some.size())
                        .isTrue();
                all.addAll(some);
            }
            assertThat(all).extracting(ClaimedEvent::event).containsExactlyElementsOf(events);
        }
    }

    private static List<Event> appendSized(JdbcOutboxFixture fixture, List<Integer> sizes) {
        List<Event> events = sizes.stream()
                .map(size -> event().toBuilder()
                        .payload("{\"text\":\"" + "x".repeat(size) + "\"}")
                        .build())
                .toList();
        for (Event event : events) {
            fixture.inTransaction(() -> fixture.store().append(List.of(event), null));
        }
        return events;
    }

    @Test
    void aRowLargerThanATransactionsShareDoesNotEndItsClaim(MariaDb server) {
        try (JdbcOutboxFixture fixture = new JdbcOutboxFixture(server.freshDatabase(), TestTable.WAYBILL)) {
            List<Event> events = appendSized(fixture, List.of(10, 5_000_000, 20, 6_000_000, 30));

            List<ClaimedRow> claimed = fixture.store().claim(LONG, new ClaimLimit(100, 20_000_000), Set.of());

            assertThat(ClaimedRow.events(claimed))
                    .extracting(ClaimedEvent::event)
                    .containsExactlyElementsOf(events);
        }
    }

    @Test
    void aClaimOfLargeRowsLocksHardlyMoreThanItTakesOnMariaDb(MariaDb server) {
        locksHardlyMoreThanItTakes(server.freshDatabase(), "information_schema.global_status");
    }

    @Test
    void aClaimOfLargeRowsLocksHardlyMoreThanItTakesOnMySql(MySql server) {
        locksHardlyMoreThanItTakes(server.freshDatabase(), "performance_schema.global_status");
    }

    /** The server reads a large payload whole to tell its size: rows that are locked in vain are read in vain. */
    private static void locksHardlyMoreThanItTakes(Database database, String status) {
        int rows = 40;
        try (JdbcOutboxFixture fixture = new JdbcOutboxFixture(database, TestTable.WAYBILL)) {
            appendSized(fixture, Collections.nCopies(rows, 1_000_000));
            String counter = "SELECT variable_value FROM " + status + " WHERE variable_name = 'Handler_read_next'";
            long before = Long.parseLong(fixture.pool().query(counter).get(0));

            assertThat(fixture.store().claim(LONG, new ClaimLimit(100, 60_000_000), Set.of()))
                    .hasSize(rows);

            long read = Long.parseLong(fixture.pool().query(counter).get(0)) - before;
            assertThat(read)
                    .as("all of them once, to learn their size, and then four at a time")
                    .isLessThan(3L * rows);
        }
    }

    private static Event event() {
        return Event.builder("OrderCreated")
                .aggregate("Order", "1")
                .bizKey("ORD1")
                .build();
    }
}
