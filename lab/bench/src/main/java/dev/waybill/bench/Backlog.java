package dev.waybill.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.JdbcOutboxStore;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.jdbc.Layouts;
import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.Relay;
import dev.waybill.outbox.Routes;
import dev.waybill.servers.Database;
import dev.waybill.store.OutboxStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A database of its own whose outbox is filled and drained. */
final class Backlog implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final HikariDataSource dataSource;
    private final JdbcTransactions transactions;
    private final OutboxStore store;

    Backlog(Database database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(6);
        dataSource = new HikariDataSource(config);
        Ddl.apply(dataSource, Layouts.waybill());
        transactions = new JdbcTransactions(dataSource);
        store = JdbcOutboxStore.builder(dataSource)
                .callerConnection(transactions)
                .mapping(Layouts.waybill())
                .build();
    }

    void fill(int events, Sample sample) {
        Outbox outbox = Outbox.builder().store(store).transactions(transactions).build();
        for (int left = events; left > 0; left -= 500) {
            List<Event> batch = new ArrayList<>();
            for (int i = 0; i < Math.min(left, 500); i++) {
                batch.add(sample.another());
            }
            publish(outbox, batch);
        }
    }

    private void publish(Outbox outbox, List<Event> batch) {
        try {
            transactions.run(connection -> outbox.publishAll(batch));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Events per second; fails unless every row is settled as sent. */
    double drain(int events, Broker broker) {
        long sentBefore = store.backlog().sent();
        try (Relay relay = Relay.builder()
                .store(store)
                .transport(broker.transport())
                .router(Routes.all(broker.destination()))
                .build()) {
            long begin = System.nanoTime();
            relay.start();
            while (relay.stats().sent() < events) {
                if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                    throw new IllegalStateException("drained only " + relay.stats() + " of " + events);
                }
                LockSupport.parkNanos(1_000_000);
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            OutboxStore.Backlog left = store.backlog();
            if (left.waiting() != 0 || left.dead() != 0 || left.sent() - sentBefore != events) {
                throw new IllegalStateException("not a result: " + left);
            }
            return events / seconds;
        }
    }

    @Override
    public void close() {
        dataSource.close();
    }
}
