package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Event;
import dev.waybill.store.EventFilter;
import dev.waybill.store.FoundEvent;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.OutboxReader.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Ids as people give them: the largest numbers, what no column can hold, and those that other tables have as well. */
class OutboxIdsTest {

    private static final OperatorDecision ANN = new OperatorDecision("ann", "mended");
    private static final String LARGEST = String.valueOf(Long.MAX_VALUE);
    private static final String SNOWFLAKE = "1234567890123456789";

    @Test
    void numbersOfNineteenDigitsAreFoundPagedAndDecidedAbout() {
        try (TestPool pool = new TestPool(TestPool.h2())) {
            events(pool, SNOWFLAKE, LARGEST);
            JdbcOutboxReader reader = new JdbcOutboxReader(pool.connections(), OutboxLayouts.ledgerEvents(), "shop");
            assertThat(reader.find(SNOWFLAKE)).isPresent();
            assertThat(reader.find("9223372036854775808")).as("larger than any").isEmpty();
            assertThat(reader.search(EventFilter.any().withEventId(LARGEST), 1, null)
                            .events())
                    .hasSize(1);

            Page latest = reader.search(EventFilter.any(), 1, null);
            assertThat(latest.next()).isEqualTo(LARGEST);
            assertThat(reader.search(EventFilter.any(), 1, latest.next()).events())
                    .extracting(FoundEvent::eventId)
                    .containsExactly(SNOWFLAKE);

            JdbcOutboxStore store = JdbcOutboxStore.builder(pool.connections())
                    .mapping(OutboxLayouts.ledgerEvents())
                    .build();
            assertThat(store.requeue(List.of(SNOWFLAKE, "9223372036854775808", "abc"), ANN))
                    .isEqualTo(1);
            assertThat(store.discard(List.of(LARGEST), ANN)).isEqualTo(1);
        }
    }

    /** MySQL would read the whole table, with locks, to find out that no row has such an id. */
    @Test
    void noRowIsLookedForByAnIdThatItsColumnCannotHold() {
        try (TestPool pool = new TestPool(TestPool.h2())) {
            Ddl.apply(pool.connections(), OutboxLayouts.waybill());
            List<String> sent = new ArrayList<>();
            JdbcOutboxStore store = JdbcOutboxStore.builder(StatementObserver.over(pool.connections(), sent::add))
                    .build();
            store.verify();
            sent.clear();
            assertThat(store.requeue(List.of("错", "\uD83D\uDE00", "\u0000"), ANN))
                    .isZero();
            assertThat(store.edit("\uD83D\uDE00", "{}", ANN)).isFalse();
            assertThat(sent).noneMatch(sql -> sql.contains("FOR UPDATE"));
            assertThat(store.discard(List.of("plain"), ANN)).isZero();
            assertThat(sent).anyMatch(sql -> sql.contains("FOR UPDATE"));
        }
    }

    /** The id stands in the headers only, and the payloads may be large. */
    @Test
    void anIdIsLookedForAmongDeadRowsWithoutTheirPayloads() {
        try (TestPool pool = new TestPool(TestPool.h2())) {
            List<String> sent = new ArrayList<>();
            JdbcTransactions transactions = new JdbcTransactions(pool.connections());
            Ddl.apply(pool.connections(), OutboxLayouts.outboxEvent());
            JdbcOutboxStore store = JdbcOutboxStore.builder(StatementObserver.over(pool.connections(), sent::add))
                    .callerConnection(transactions)
                    .mapping(OutboxLayouts.outboxEvent())
                    .build();
            List<Event> events = Stream.generate(() -> Event.of("Paid", "{\"much\":1}"))
                    .limit(1_100)
                    .toList();
            transactions.inTransaction(() -> store.append(events, null));
            pool.execute("UPDATE outbox_event SET status = 3");
            sent.clear();
            assertThat(store.requeue(
                            List.of(events.get(0).eventId(), events.get(1_099).eventId(), "nobody"), ANN))
                    .isEqualTo(2);
            assertThat(sent)
                    .filteredOn(sql -> sql.contains("\"PAYLOAD\" AS wb_PAYLOAD"))
                    .as("the rows decided about")
                    .hasSize(1)
                    .allMatch(sql -> sql.contains("FOR UPDATE"));
            assertThat(store.requeue(List.of(events.get(1).eventId()), ANN)).isEqualTo(1);
        }
    }

    @Test
    void anEventsHistoryHasNoDecisionsAboutOthersWithThatNumber() {
        try (TestPool pool = new TestPool(TestPool.h2())) {
            events(pool, "5");
            JdbcOutboxStore.builder(pool.connections())
                    .mapping(OutboxLayouts.ledgerEvents())
                    .build()
                    .discard(List.of("5"), ANN);
            for (String table : List.of("waybill_job", "other_events", "waybill_dead_letter")) {
                pool.execute("INSERT INTO waybill_audit (outbox_table, event_id, event_type, action, actor, reason,"
                        + " attempts, event, decided_at) VALUES ('" + table + "', '5', 'T', 'DISCARD', '" + table
                        + "', 'r', 0, '{}', CURRENT_TIMESTAMP)");
            }
            JdbcAuditReader reader = new JdbcAuditReader(pool.connections(), OutboxLayouts.ledgerEvents());
            assertThat(reader.ofEvent("5", 10))
                    .extracting(record -> record.decision().actor())
                    .containsExactly("waybill_dead_letter", "ann");
            assertThat(reader.latest(10, Long.MAX_VALUE)).hasSize(4);
        }
    }

    /** DEAD rows with these ids. */
    private static void events(TestPool pool, String... ids) {
        Ddl.apply(pool.connections(), OutboxLayouts.ledgerEvents());
        for (String id : ids) {
            pool.execute("INSERT INTO events (event_id, publisher_app, topic, event_type, biz_key, payload, status)"
                    + " VALUES (" + id + ", 'shop', 'T', 'Paid', 'K" + id + "', '{}', 4)");
        }
    }
}
