package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.message.Event;
import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.MySql;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servers.SqlServer;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.NoTransactionException;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Appends that a database would cut off, or that it refuses: read-only connections, sessions without a strict mode. */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL})
class RefusedAppendTest {

    private static final Lease MINE = new Lease("mine", Duration.ofSeconds(1));

    @Test
    void aLaxSessionCutsNoEventOffOnMariaDb(MariaDb server) {
        laxSessionsCutNothingOff(server);
    }

    @Test
    void aLaxSessionCutsNoEventOffOnMySql(MySql server) {
        laxSessionsCutNothingOff(server);
    }

    private static void laxSessionsCutNothingOff(SqlServer server) {
        try (TestPool pool = new TestPool(
                server.freshDatabase(), config -> config.setConnectionInitSql("SET SESSION sql_mode = ''"))) {
            Ddl.apply(pool.connections(), OutboxLayouts.tOutboxEvent());
            JdbcTransactions transactions = new JdbcTransactions(pool.connections());
            OutboxStore store = JdbcOutboxStore.builder(pool.connections())
                    .callerConnection(transactions)
                    .mapping(OutboxLayouts.tOutboxEvent())
                    .build();
            Event fits = withNote("x".repeat(60_000));
            Event cut = withNote("\u4e2d".repeat(21_900));

            append(transactions, store, fits);
            assertThatThrownBy(() -> append(transactions, store, cut))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.VALUE))
                    .hasMessageContaining(cut.eventId())
                    .hasMessageContaining("t_outbox_event.payload_json holds 65535 bytes");
            assertThatThrownBy(() -> append(
                            transactions,
                            store,
                            fits.toBuilder().eventId("x".repeat(65)).build()))
                    .hasMessageContaining("t_outbox_event.event_id holds 64 characters");
            assertThat(pool.query("SELECT event_id FROM t_outbox_event")).containsExactly(fits.eventId());

            pool.execute("ALTER TABLE t_outbox_event MODIFY payload_json MEDIUMTEXT NOT NULL");
            append(transactions, store, cut);
            assertThat(ClaimedRow.events(store.claim(MINE, 10, Set.of())))
                    .extracting(row -> row.event().payload())
                    .containsExactlyInAnyOrder(fits.payload(), cut.payload());
        }
    }

    private static Event withNote(String note) {
        return Event.builder("OrderCreated")
                .bizKey("order")
                .payload("{\"note\":\"" + note + "\"}")
                .build();
    }

    private static void append(JdbcTransactions transactions, OutboxStore store, Event event) {
        transactions.inTransaction(() -> store.append(List.of(event), null));
    }

    @Test
    void aReadOnlyConnectionIsRefusedOnMySql(MySql server) {
        isRefusedWhenReadOnly(server.freshDatabase());
    }

    @Test
    void aReadOnlyConnectionIsRefusedOnPostgreSql(PostgreSql server) {
        isRefusedWhenReadOnly(server.freshDatabase());
    }

    private static void isRefusedWhenReadOnly(Database database) {
        try (TestPool writing = new TestPool(database);
                TestPool reading = new TestPool(database, config -> config.setReadOnly(true))) {
            Ddl.apply(writing.connections(), OutboxLayouts.waybill());
            JdbcTransactions transactions = new JdbcTransactions(reading.connections());
            OutboxStore store = JdbcOutboxStore.builder(reading.connections())
                    .callerConnection(transactions)
                    .mapping(OutboxLayouts.waybill())
                    .build();
            assertThatThrownBy(() -> append(transactions, store, withNote("x")))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("read-only");
        }
    }
}
