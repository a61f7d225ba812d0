package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.message.Event;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.Settlement;
import dev.waybill.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables that differ from all layouts, and the errors for tables that cannot be used. */
class AdoptedTableTest {

    private static final Lease HOLD = new Lease("relay", Duration.ofSeconds(5));

    private final JdbcDataSource h2 = new JdbcDataSource();
    private final JdbcTransactions transactions = new JdbcTransactions(h2);

    @BeforeEach
    void anEmptyDatabase() {
        h2.setURL("jdbc:h2:mem:" + getClass().getSimpleName() + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
    }

    private void execute(String sql) throws SQLException {
        transactions.run(connection -> connection.createStatement().execute(sql));
    }

    private JdbcOutboxStore store(OutboxMapping mapping) {
        return JdbcOutboxStore.builder(h2)
                .callerConnection(transactions)
                .mapping(mapping)
                .build();
    }

    /** The table and its columns are named by SQL keywords, its status words are its own, and most columns are missing. */
    @Test
    void aTableWithNamesAndWordsOfItsOwnIsRelayed() throws SQLException {
        execute("CREATE TABLE \"order\" (\"key\" VARCHAR(64) PRIMARY KEY, \"select\" VARCHAR(64) NOT NULL,"
                + " \"value\" CLOB NOT NULL, \"group\" VARCHAR(16) NOT NULL, tries INT NOT NULL,"
                + " \"when\" TIMESTAMP(0) WITH TIME ZONE)");
        execute("CREATE INDEX i ON \"order\" (\"group\", \"when\")");
        OutboxMapping mapping = OutboxMapping.builder("mine")
                .table("order")
                .column(OutboxColumn.EVENT_ID, "key")
                .column(OutboxColumn.TYPE, "select")
                .column(OutboxColumn.PAYLOAD, "value")
                .column(OutboxColumn.STATUS, "group")
                .column(OutboxColumn.ATTEMPTS, "tries")
                .column(OutboxColumn.DUE, "when")
                .word(OutboxState.NEW, "PENDING")
                .word(OutboxState.RETRY, "AGAIN")
                .word(OutboxState.SENT, "DONE")
                .word(OutboxState.DEAD, "LOST")
                .build();
        Ddl.apply(h2, mapping);
        execute("INSERT INTO \"order\" VALUES ('old', 'OrderPaid', '{}', 'PENDING', 0, NULL)");
        JdbcOutboxStore store = store(mapping);
        store.verify();
        Event event = Event.builder("OrderPaid")
                .bizKey("B")
                .traceId("t")
                .payload("[1]")
                .build();
        transactions.<List<ClaimedEvent>, RuntimeException>call(connection -> store.append(List.of(event), null));

        List<ClaimedEvent> claimed = ClaimedRow.events(store.claim(HOLD, 10, Set.of()));

        assertThat(claimed).extracting(ClaimedEvent::event).contains(event).hasSize(2);
        assertThat(store.settle(List.of(
                        new Settlement.Sent(claimed.get(0), "id"),
                        new Settlement.Retry(claimed.get(1), Duration.ZERO, "later"))))
                .isEqualTo(2);
        assertThat(store.backlog().sent()).isEqualTo(1);
        assertThat(store.backlog().retrying()).isEqualTo(1);
    }

    @Test
    void aWordOfOlderWritersCanBeClaimable() throws SQLException {
        OutboxMapping mapping = OutboxLayouts.tOutboxEvent().toBuilder()
                .alsoClaimable("PENDING")
                .typeOfTag(tag -> tag.equals("ORDER_CREATED") ? "OrderCreated" : tag)
                .build();
        Ddl.apply(h2, mapping);
        execute("INSERT INTO t_outbox_event (event_id, biz_key, topic, tag, payload_json, status)"
                + " VALUES ('a1', 'ORD1', 'ORDER_TOPIC', 'ORDER_CREATED', '{}', 'PENDING')");

        assertThat(ClaimedRow.events(store(mapping).claim(HOLD, 10, Set.of())))
                .singleElement()
                .satisfies(claimed -> assertThat(claimed.event().type()).isEqualTo("OrderCreated"));
    }

    @Test
    void aPlainEventStaysAPlainPayloadWhereItsTypeIsKnownByTheTag() throws SQLException {
        OutboxMapping mapping = OutboxLayouts.tOutboxEvent().toBuilder()
                .typeOfTag(tag -> "OrderCreated")
                .build();
        Ddl.apply(h2, mapping);
        Event event = Event.builder("OrderCreated")
                .bizKey("ORD1")
                .destination(dev.waybill.message.Destination.of("ORDER_TOPIC", "ORDER_CREATED"))
                .payload("{\"orderNo\":\"ORD1\"}")
                .build();
        transactions.<List<ClaimedEvent>, RuntimeException>call(
                connection -> store(mapping).append(List.of(event), null));

        transactions.run(connection -> {
            var row = connection.createStatement().executeQuery("SELECT payload_json FROM t_outbox_event");
            row.next();
            assertThat(row.getString(1)).isEqualTo("{\"orderNo\":\"ORD1\"}");
        });
    }

    /** A table with a trace id and without headers: the payload stays plain unless the traceparent says more. */
    @Test
    void aTraceparentNeedsAnEnvelopeOnlyWhereTheTraceIdDoesNotImplyIt() throws SQLException {
        OutboxMapping mapping = OutboxLayouts.tOutboxEvent().toBuilder()
                .typeOfTag(tag -> "OrderCreated")
                .build();
        Ddl.apply(h2, mapping);
        String trace = "0af7651916cd43dd8448eb211c80319c";
        Event sampled = Event.builder("OrderCreated")
                .bizKey("ORD1")
                .traceId(trace)
                .destination(dev.waybill.message.Destination.of("ORDER_TOPIC", "ORDER_CREATED"))
                .header("traceparent", "00-" + trace + "-b7ad6b7169203331-01")
                .payload("{}")
                .build();
        Event unsampled = Event.builder("OrderCreated")
                .bizKey("ORD2")
                .traceId(trace)
                .destination(dev.waybill.message.Destination.of("ORDER_TOPIC", "ORDER_CREATED"))
                .header("traceparent", "00-" + trace + "-b7ad6b7169203331-00")
                .payload("{}")
                .build();
        transactions.<List<ClaimedEvent>, RuntimeException>call(
                connection -> store(mapping).append(List.of(sampled, unsampled), null));

        transactions.run(connection -> {
            var row = connection
                    .createStatement()
                    .executeQuery("SELECT payload_json FROM t_outbox_event ORDER BY biz_key");
            row.next();
            assertThat(row.getString(1)).isEqualTo("{}");
            row.next();
            assertThat(row.getString(1)).contains("\"eventId\"");
        });
        assertThat(ClaimedRow.events(store(mapping).claim(HOLD, 10, Set.of())))
                .extracting(claimed -> dev.waybill.message.TraceParent.of(claimed.event()))
                .satisfiesExactlyInAnyOrder(
                        header -> assertThat(header).startsWith("00-" + trace).endsWith("-01"),
                        header -> assertThat(header).isEqualTo("00-" + trace + "-b7ad6b7169203331-00"));
    }

    @Test
    void aTextWhereTheTableKeepsNumbersIsTheEventsFault() {
        Ddl.apply(h2, OutboxLayouts.outboxEvents());
        Event event = Event.builder("OrderCreated").aggregate("Order", "ORD1").build();

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> transactions.<List<ClaimedEvent>, RuntimeException>call(
                        connection -> store(OutboxLayouts.outboxEvents()).append(List.of(event), null)))
                .withMessage("table outbox_events keeps aggregate ids as numbers in \"AGGREGATE_ID\"; event "
                        + event.eventId() + " of type OrderCreated has 'ORD1'")
                .satisfies(e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.VALUE));
    }

    @Test
    void verifyNamesWhatIsMissing() throws SQLException {
        refuses(
                OutboxLayouts.waybill(),
                "table waybill_outbox does not exist, or this user may not see it; "
                        + "dev.waybill.jdbc.DdlTool --dialect h2 --layout waybill prints its DDL");
        Ddl.apply(h2, OutboxLayouts.tOutboxEvent());
        execute("DROP TABLE waybill_attempt");
        refuses(
                OutboxLayouts.tOutboxEvent(),
                "table waybill_attempt is missing; it keeps errors, for which t_outbox_event "
                        + "has no column. dev.waybill.jdbc.DdlTool --dialect h2 --layout t_outbox_event prints its DDL");
        refuses(
                OutboxLayouts.tOutboxEvent().toBuilder()
                        .column(OutboxColumn.TOKEN, "owner")
                        .build(),
                "table t_outbox_event has no column owner, which the mapping t_outbox_event names for TOKEN");
        refuses(
                OutboxLayouts.tOutboxEvent().toBuilder()
                        .column(OutboxColumn.DUE, "biz_key")
                        .build(),
                "column t_outbox_event.BIZ_KEY should be a date and time, is CHARACTER VARYING");
        refuses(
                OutboxLayouts.tOutboxEvent().toBuilder()
                        .column(OutboxColumn.STATUS, "version")
                        .build(),
                "column t_outbox_event.VERSION is a number, but the mapping's word for NEW is 'NEW'");
    }

    private void refuses(OutboxMapping mapping, String sentence) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store(mapping).verify())
                .withMessage(sentence)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.MISCONFIGURED));
    }
}
