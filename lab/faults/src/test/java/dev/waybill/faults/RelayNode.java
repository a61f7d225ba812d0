package dev.waybill.faults;

import com.rabbitmq.client.ConnectionFactory;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.jdbc.JdbcOutboxStore;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.jdbc.OutboxLayouts;
import dev.waybill.jdbc.OutboxMapping;
import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.message.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.Relay;
import dev.waybill.outbox.RelayListener;
import dev.waybill.outbox.RelaySettings;
import dev.waybill.outbox.Routes;
import dev.waybill.rabbitmq.RabbitMqTransport;
import dev.waybill.retry.ExponentialBackoff;
import dev.waybill.retry.RetryPolicy;
import dev.waybill.retry.RetryRules;
import dev.waybill.rocketmq.RocketMqTransport;
import dev.waybill.store.OutboxStore;
import dev.waybill.transport.Transport;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/** One service's share of Waybill, put together in plain Java: database, broker, outbox, relay. */
final class RelayNode implements AutoCloseable {

    final NodeSettings spec;
    final HikariDataSource dataSource;
    final JdbcTransactions transactions;
    final OutboxStore store;
    final Transport transport;
    final Relay relay;
    final Outbox outbox;

    RelayNode(NodeSettings spec, RelayListener listener, Checkpoints checkpoints) {
        this.spec = spec;
        this.dataSource = dataSource(spec);
        this.transactions = new JdbcTransactions(dataSource);
        JdbcOutboxStore.Builder rows = JdbcOutboxStore.builder(WaitsBetweenLockAndMark.perhaps(spec, dataSource))
                .callerConnection(transactions)
                .mapping(layout(spec.text("layout", "waybill")));
        this.store = spec.number("notify", 0) == 0
                ? rows.build()
                : rows.notifyRelays(true).listenOn(dataSource).build();
        this.transport = FlakyTransport.perhaps(spec, transport(spec));
        this.relay = Relay.builder()
                .store(store)
                .transport(transport)
                .router(routes(spec))
                .retries(RetryRules.all(retries(spec)))
                .settings(settings(spec))
                .listener(listener)
                .checkpoints(checkpoints)
                .build();
        this.outbox = Outbox.builder()
                .store(store)
                .transactions(transactions)
                .relay(relay)
                .checkpoints(checkpoints)
                .build();
    }

    RelayNode(NodeSettings spec) {
        this(spec, new RelayListener() {}, Checkpoints.NONE);
    }

    /** A business transaction. */
    <T> T transact(JdbcTransactions.Call<T, SQLException> work) {
        try {
            return transactions.call(work);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        relay.close();
        dataSource.close();
    }

    static HikariDataSource dataSource(NodeSettings spec) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(spec.text("url"));
        config.setUsername(spec.text("user"));
        config.setPassword(spec.text("password"));
        config.setMaximumPoolSize(spec.number("pool", 12));
        config.setMinimumIdle(2);
        config.setConnectionTimeout(spec.number("connectionMs", 30_000));
        return new HikariDataSource(config);
    }

    static OutboxMapping layout(String name) {
        return switch (name) {
            case "waybill" -> OutboxLayouts.waybill();
            case "t_outbox_event" -> OutboxLayouts.tOutboxEvent();
            case "outbox_event" -> OutboxLayouts.outboxEvent();
            case "outbox_events" -> OutboxLayouts.outboxEvents();
            case "events" -> OutboxLayouts.ledgerEvents();
            default -> throw new IllegalArgumentException("no layout " + name);
        };
    }

    private static Routes routes(NodeSettings spec) {
        Destination destination = Destination.of(spec.text("topic"), spec.text("tag", ""));
        return Routes.of(Map.of("OrderCreated", destination, "ORDER_CREATED", destination));
    }

    private static RetryPolicy retries(NodeSettings spec) {
        Duration base = Duration.ofMillis(spec.number("retryMs", 5000));
        return ExponentialBackoff.of(base, Duration.ofHours(1), 0.2, spec.number("retries", 5));
    }

    private static RelaySettings settings(NodeSettings spec) {
        RelaySettings defaults = RelaySettings.defaults();
        return defaults.withLease(Duration.ofMillis(spec.number("leaseMs", 5000)))
                .withHandoffCapacity(spec.number("handoff", defaults.handoffCapacity()))
                .withPollInterval(Duration.ofMillis(spec.number("pollMs", 1000)))
                .withBatch(spec.number("batch", defaults.batch()))
                .withWindow(defaults.minWindow(), spec.number("window", defaults.maxWindow()));
    }

    static Transport transport(NodeSettings spec) {
        if (spec.text("broker").equals("rocketmq")) {
            return RocketMqTransport.builder(spec.text("nameServer"))
                    .maxMessageSize(spec.number("maxSize", 4 * 1024 * 1024))
                    .build();
        }
        return RabbitMqTransport.builder(rabbit(spec))
                .maxMessageSize(spec.number("maxSize", 4 * 1024 * 1024))
                .build();
    }

    static ConnectionFactory rabbit(NodeSettings spec) {
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(spec.text("amqp"));
            return factory;
        } catch (java.net.URISyntaxException | java.security.GeneralSecurityException e) {
            throw new IllegalArgumentException("amqp=" + spec.text("amqp"), e);
        }
    }
}
