package dev.waybill.bench.contenders;

import com.rabbitmq.client.ConnectionFactory;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.contender.BenchOrder;
import dev.waybill.contender.Contender;
import dev.waybill.contender.ContenderConfig;
import dev.waybill.contender.ContenderMain;
import dev.waybill.inbox.Inbox;
import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.InboxLayouts;
import dev.waybill.jdbc.JdbcInboxStore;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.rabbitmq.DeadLetterRoute;
import dev.waybill.rabbitmq.RabbitMqSubscriptions;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Waybill on both sides: what its relay sends, its inbox consumes, and each event takes effect as one row that says when,
 * by the clock that the machine's processes share. The table of effects has no key: an effect that happens twice shows.
 */
public final class WaybillInboxContender implements Contender {

    private static final String TABLE = "CREATE TABLE bench_effect (id BIGINT NOT NULL, at_nanos BIGINT NOT NULL)";
    private static final String INSERT = "INSERT INTO bench_effect (id, at_nanos) VALUES (?, ?)";

    private static final String DEAD = "bench.dead";

    private final WaybillContender outbox = new WaybillContender();
    private @Nullable HikariDataSource pool;
    private @Nullable Subscriptions subscriptions;

    public static void main(String[] arguments) {
        ContenderMain.run(new WaybillInboxContender(), arguments);
    }

    @Override
    public void open(ContenderConfig config) throws SQLException {
        outbox.open(config);
        HikariDataSource here = config.pool();
        pool = here;
        Ddl.apply(here, InboxLayouts.waybill());
        try (Connection connection = here.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
        }
        JdbcTransactions transactions = new JdbcTransactions(here);
        Inbox inbox = Inbox.builder("bench")
                .store(JdbcInboxStore.builder(here)
                        .callerConnection(transactions)
                        .mapping(InboxLayouts.waybill())
                        .build())
                .transactions(transactions)
                .on("OrderCreated", event -> effect(transactions, event))
                .build();
        ConnectionFactory factory = BrokerClients.rabbit(config);
        subscriptions = RabbitMqSubscriptions.builder(factory)
                .deadLetters(new DeadLetterRoute.Published("", DEAD, DEAD))
                .build();
        Lifecycle consuming = subscriptions.subscribe(
                SubscriptionSpec.of(config.exchange(), "bench")
                        .withConcurrency(4, 100)
                        .withBatch(20),
                inbox);
        consuming.start();
    }

    private static HandlerResult effect(JdbcTransactions transactions, Event event) {
        try {
            transactions.run(connection -> {
                try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                    insert.setLong(1, Long.parseLong(Objects.requireNonNull(event.aggregateId())));
                    insert.setLong(2, System.nanoTime());
                    insert.executeUpdate();
                }
            });
            return HandlerResult.DONE;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void commit(List<BenchOrder> orders) throws SQLException {
        outbox.commit(orders);
    }

    @Override
    public void startRelay() {
        outbox.startRelay();
    }

    @Override
    public void stopRelay() {
        outbox.stopRelay();
    }

    @Override
    public long sent() {
        return outbox.sent();
    }

    @Override
    public long unsettled() {
        return outbox.unsettled();
    }

    @Override
    public void close() {
        Objects.requireNonNull(subscriptions).close();
        outbox.close();
        Objects.requireNonNull(pool).close();
    }
}
