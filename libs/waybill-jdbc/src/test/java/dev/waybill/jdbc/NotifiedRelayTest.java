package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.servers.Database;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.store.RemoteCommits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Commits on PostgreSQL are heard where somebody listens, and the connection that listened is clean afterwards. */
@Servers(Server.POSTGRESQL)
class NotifiedRelayTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    private Database database;
    private TestPool publisher;
    private HikariDataSource listening;
    private final Semaphore heard = new Semaphore(0);
    private final AtomicBoolean goesOn = new AtomicBoolean(true);
    private Thread listener;

    @BeforeEach
    void aTable(PostgreSql server) {
        database = server.freshDatabase();
        publisher = new TestPool(database);
        Ddl.apply(publisher.connections(), OutboxLayouts.waybill());
        listening = pool(config -> config.setMaximumPoolSize(1));
    }

    @AfterEach
    void end() throws InterruptedException {
        goesOn.set(false);
        if (listener != null) {
            listener.join(SOON.toMillis());
        }
        listening.close();
        publisher.close();
    }

    @Test
    void aCommitThatNoRelayTakesIsHeardAndARolledBackOneIsNot() throws InterruptedException {
        listen();
        publish(publisher(true), true);
        assertThat(hears()).isFalse();
        publish(publisher(true), false);
        assertThat(hears()).isTrue();
    }

    @Test
    void withoutTheSettingNobodyIsNotified() throws InterruptedException {
        listen();
        publish(publisher(false), false);
        assertThat(hears()).isFalse();
    }

    @Test
    void tablesOfTheSameNameInTwoSchemasAreNotMixedUp() throws InterruptedException {
        publisher.execute("CREATE SCHEMA other");
        OutboxMapping elsewhere = OutboxLayouts.waybill().toBuilder()
                .table("other.waybill_outbox")
                .build();
        Ddl.apply(publisher.connections(), elsewhere);
        OutboxMapping spelledOut = OutboxLayouts.waybill().toBuilder()
                .table("public.waybill_outbox")
                .build();
        listen();
        publish(publisher(elsewhere, true), false);
        assertThat(hears()).isFalse();
        publish(publisher(spelledOut, true), false);
        assertThat(hears()).isTrue();
    }

    @Test
    void theConnectionGoesBackWithoutListening() throws Exception {
        listening.close();
        listening = pool(config -> {
            config.setMaximumPoolSize(1);
            config.setAutoCommit(false);
        });
        listen();
        goesOn.set(false);
        listener.join(SOON.toMillis());
        assertThat(listener.isAlive()).isFalse();
        try (Connection connection = listening.getConnection()) {
            assertThat(connection.getAutoCommit()).isFalse();
            assertThat(connection.getNetworkTimeout()).isZero();
            publish(publisher(true), false);
            connection.rollback();
            connection.setAutoCommit(true);
            assertThat(connection.unwrap(PGConnection.class).getNotifications(300))
                    .isNullOrEmpty();
        }
    }

    @Test
    void aConnectionThatWasEndedIsReplacedByTheNextCall() throws InterruptedException {
        listen();
        publisher.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");
        await().atMost(SOON).until(() -> !listener.isAlive());
        listen();
        publish(publisher(true), false);
        assertThat(hears()).isTrue();
    }

    @Test
    void aStoreThatIsNotToldToListenDoesNot() {
        assertThat(publisher(true).remoteCommits()).isNull();
    }

    /** Listens on a thread of its own, and returns when it does. */
    private void listen() throws InterruptedException {
        RemoteCommits commits = JdbcOutboxStore.builder(publisher.connections())
                .listenOn(listening)
                .build()
                .remoteCommits();
        assertThat(commits).isNotNull();
        listener = new Thread(() -> {
            try {
                commits.listen(heard::release, goesOn::get);
            } catch (InterruptedException | RuntimeException e) {
                Thread.currentThread().interrupt();
            }
        });
        listener.start();
        assertThat(heard.tryAcquire(SOON.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    }

    /** Whether a notification comes; one would be here long before this gives up. */
    private boolean hears() throws InterruptedException {
        boolean some = heard.tryAcquire(1, TimeUnit.SECONDS);
        if (some) {
            heard.tryAcquire(1, TimeUnit.SECONDS); // the second look
        }
        return some;
    }

    private JdbcOutboxStore publisher(boolean notifies) {
        return publisher(OutboxLayouts.waybill(), notifies);
    }

    private JdbcTransactions transactions() {
        return new JdbcTransactions(publisher.connections());
    }

    private JdbcTransactions current;

    private JdbcOutboxStore publisher(OutboxMapping mapping, boolean notifies) {
        current = transactions();
        return JdbcOutboxStore.builder(publisher.connections())
                .callerConnection(current)
                .mapping(mapping)
                .notifyRelays(notifies)
                .build();
    }

    private void publish(JdbcOutboxStore store, boolean thenRollBack) {
        Outbox outbox = Outbox.builder().store(store).transactions(current).build();
        try {
            current.call(connection -> {
                outbox.publish(Event.of("OrderCreated", "{}"));
                if (thenRollBack) {
                    throw new SQLException("the business says no");
                }
                return true;
            });
            assertThat(thenRollBack).isFalse();
        } catch (SQLException e) {
            assertThat(thenRollBack).isTrue();
        }
    }

    private HikariDataSource pool(Consumer<HikariConfig> settings) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        settings.accept(config);
        return new HikariDataSource(config);
    }
}
