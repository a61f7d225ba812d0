package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Adopted tables whose key column gives a key back in another spelling than it was given. */
@Servers(Server.POSTGRESQL)
class KeySpellingTest {

    private static final Lease LEASE = new Lease("relay-1", Duration.ofMinutes(5));

    @Test
    void aKeyThatItsColumnFillsUpWithBlanksIsFound(PostgreSql server) {
        appendedClaimedAndSettled(server, "char(64)", "order-17");
    }

    @Test
    void aKeyThatItsColumnWritesInLowerCaseIsFound(PostgreSql server) {
        appendedClaimedAndSettled(
                server,
                "uuid USING event_id::uuid",
                UUID.randomUUID().toString().toUpperCase(Locale.ROOT));
    }

    private static void appendedClaimedAndSettled(PostgreSql server, String type, String id) {
        try (TestPool pool = new TestPool(server.freshDatabase())) {
            Ddl.apply(pool.connections(), OutboxLayouts.tOutboxEvent());
            pool.execute("ALTER TABLE t_outbox_event ALTER COLUMN event_id TYPE " + type);
            JdbcTransactions transactions = new JdbcTransactions(pool.connections());
            OutboxStore store = JdbcOutboxStore.builder(pool.connections())
                    .callerConnection(transactions)
                    .mapping(OutboxLayouts.tOutboxEvent())
                    .build();
            store.verify();
            Event event = Event.builder("OrderCreated")
                    .eventId(id)
                    .bizKey("ORD1")
                    .destination(Destination.of("ORDER_TOPIC", "ORDER_CREATED"))
                    .build();

            List<ClaimedEvent> appended = transactions.inTransaction(() -> store.append(List.of(event), LEASE));
            assertThat(store.committed(appended)).hasSize(1);
            assertThat(store.renew(LEASE, appended)).hasSize(1);
            assertThat(store.settle(List.of(new Settlement.Retry(appended.get(0), Duration.ZERO, "busy"))))
                    .isEqualTo(1);
            pool.execute("UPDATE t_outbox_event SET next_retry_at = NULL");

            List<ClaimedEvent> claimed = ClaimedRow.events(store.claim(LEASE, 10, Set.of()));
            assertThat(claimed).hasSize(1);
            assertThat(store.renew(LEASE, claimed)).hasSize(1);
            assertThat(store.settle(List.of(new Settlement.Sent(claimed.get(0), null))))
                    .isEqualTo(1);
        }
    }
}
