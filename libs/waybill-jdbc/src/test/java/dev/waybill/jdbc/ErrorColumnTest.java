package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Event;
import dev.waybill.servers.Database;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Adopted tables whose column for errors must not be null: a sent row could never be settled. */
@Servers(Server.POSTGRESQL)
class ErrorColumnTest {

    private static final Lease LEASE = new Lease("relay-1", Duration.ofMinutes(5));

    @Test
    void aRowWithoutAnErrorHasAnEmptyTextWherePostgreSqlWantsOne(PostgreSql server) {
        isRequeuedAndSent(server.freshDatabase());
    }

    @Test
    void aRowWithoutAnErrorHasAnEmptyTextWhereH2WantsOne() {
        isRequeuedAndSent(TestPool.h2());
    }

    private static void isRequeuedAndSent(Database database) {
        OutboxMapping layout = OutboxLayouts.waybill();
        String column = layout.column(OutboxColumn.ERROR);
        try (TestPool pool = new TestPool(database)) {
            Ddl.apply(pool.connections(), layout);
            pool.execute("ALTER TABLE waybill_outbox ALTER COLUMN " + column + " SET DEFAULT ''");
            pool.execute("ALTER TABLE waybill_outbox ALTER COLUMN " + column + " SET NOT NULL");
            JdbcTransactions transactions = new JdbcTransactions(pool.connections());
            OutboxStore store = JdbcOutboxStore.builder(pool.connections())
                    .callerConnection(transactions)
                    .build();
            store.verify();
            Event event = Event.builder("OrderCreated").build();
            List<ClaimedEvent> appended = transactions.inTransaction(() -> store.append(List.of(event), LEASE));
            assertThat(store.settle(List.of(new Settlement.Dead(appended.get(0), "no such topic"))))
                    .isEqualTo(1);

            assertThat(store.requeue(List.of(event.eventId()), new OperatorDecision("anna", "it exists now")))
                    .isEqualTo(1);
            List<ClaimedEvent> claimed = ClaimedRow.events(store.claim(LEASE, 10, Set.of()));
            assertThat(claimed).hasSize(1);
            assertThat(store.settle(List.of(new Settlement.Sent(claimed.get(0), null))))
                    .isEqualTo(1);
        }
    }
}
