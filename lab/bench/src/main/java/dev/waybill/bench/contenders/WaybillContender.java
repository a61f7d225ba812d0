package dev.waybill.bench.contenders;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.contender.BenchOrder;
import dev.waybill.contender.Contender;
import dev.waybill.contender.ContenderConfig;
import dev.waybill.contender.ContenderMain;
import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.JdbcOutboxStore;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.jdbc.OutboxLayouts;
import dev.waybill.message.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.Relay;
import dev.waybill.outbox.Routes;
import dev.waybill.store.OutboxStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Waybill with its defaults: plain Java, its own table layout. */
public final class WaybillContender implements Contender {

    private @Nullable HikariDataSource pool;
    private @Nullable JdbcTransactions transactions;
    private @Nullable OutboxStore store;
    private @Nullable Outbox outbox;
    private @Nullable Relay relay;

    public static void main(String[] arguments) {
        ContenderMain.run(new WaybillContender(), arguments);
    }

    @Override
    public void open(ContenderConfig config) {
        pool = config.pool();
        Ddl.apply(pool, OutboxLayouts.waybill());
        transactions = new JdbcTransactions(pool);
        store = JdbcOutboxStore.builder(pool)
                .callerConnection(transactions)
                .mapping(OutboxLayouts.waybill())
                .build();
        relay = Relay.builder()
                .store(store)
                .transport(BrokerClients.transport(config))
                .router(Routes.all(Destination.of(config.exchange(), config.key())))
                .build();
        outbox = Outbox.builder()
                .store(store)
                .transactions(transactions)
                .relay(relay)
                .build();
    }

    @Override
    public void commit(List<BenchOrder> orders) throws SQLException {
        Outbox here = Objects.requireNonNull(outbox);
        Objects.requireNonNull(transactions).run(connection -> {
            BenchOrder.insert(connection, orders);
            here.publishAll(orders.stream().map(BenchEvents::event).toList());
        });
    }

    @Override
    public void startRelay() {
        Objects.requireNonNull(relay).start();
    }

    @Override
    public void stopRelay() {
        if (!Objects.requireNonNull(relay).stop(Duration.ofSeconds(30))) {
            throw new IllegalStateException("the relay did not stop cleanly");
        }
    }

    @Override
    public long sent() {
        return Objects.requireNonNull(relay).stats().sent();
    }

    /** DEAD rows count as unsettled, because no event of a bench may become one. */
    @Override
    public long unsettled() {
        OutboxStore.Backlog backlog = Objects.requireNonNull(store).backlog();
        return backlog.waiting() + backlog.dead();
    }

    @Override
    public void close() {
        Objects.requireNonNull(relay).close();
        Objects.requireNonNull(pool).close();
    }
}
