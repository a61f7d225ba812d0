package dev.waybill.faults;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.inbox.DeadLetters;
import dev.waybill.inbox.Inbox;
import dev.waybill.inbox.InboxListener;
import dev.waybill.inbox.UnknownTypes;
import dev.waybill.jdbc.InboxLayouts;
import dev.waybill.jdbc.JdbcDeadLetterStore;
import dev.waybill.jdbc.JdbcInboxStore;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.rabbitmq.DeadLetterRoute;
import dev.waybill.rabbitmq.RabbitMqSubscriptions;
import dev.waybill.rocketmq.RocketMqSubscriptions;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** One service's consuming share of Waybill, put together in plain Java: database, broker, inbox, subscription. */
final class ConsumerNode implements AutoCloseable {

    /** Not unique: an effect that happens twice shows. */
    static final String EFFECT_TABLE = "CREATE TABLE effect (event_id VARCHAR(64) NOT NULL, made_by BIGINT NOT NULL)";

    static final String TYPE = "OrderCreated";

    /** What the business does with an event, inside the inbox's transaction. */
    interface Work {
        HandlerResult on(Connection connection, Event event) throws SQLException;
    }

    final NodeSettings spec;
    final HikariDataSource dataSource;
    final JdbcTransactions transactions;
    final JdbcInboxStore store;
    final Subscriptions subscriptions;
    final SubscriptionSpec subscription;
    final Lifecycle consuming;

    ConsumerNode(
            NodeSettings spec, Work work, InboxListener listener, Checkpoints checkpoints, Consumer<Delivery> seen) {
        this.spec = spec;
        this.dataSource = RelayNode.dataSource(spec);
        this.transactions = new JdbcTransactions(dataSource);
        this.store = JdbcInboxStore.builder(dataSource)
                .callerConnection(transactions)
                .mapping(InboxLayouts.named(spec.text("inbox", "waybill")))
                .build();
        Inbox inbox = Inbox.builder(spec.text("group"))
                .store(store)
                .transactions(transactions)
                .on(TYPE, event -> transact(connection -> work.on(connection, event)))
                .unknownTypes(UnknownTypes.DEAD_LETTER)
                .maxBodyBytes(spec.number("maxBody", 100_000))
                .listener(listener)
                .checkpoints(checkpoints)
                .build();
        this.subscriptions = subscriptions(spec);
        this.subscription = subscription(spec);
        this.consuming = subscriptions.subscribe(subscription, batch -> {
            batch.forEach(seen);
            return inbox.receive(batch);
        });
    }

    ConsumerNode(NodeSettings spec, Work work) {
        this(spec, work, new InboxListener() {}, Checkpoints.NONE, delivery -> {});
    }

    /** The plainest business: one row. */
    static HandlerResult effect(Connection connection, Event event) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect VALUES (?, ?)")) {
            insert.setString(1, event.eventId());
            insert.setLong(2, ProcessHandle.current().pid());
            insert.executeUpdate();
        }
        return HandlerResult.DONE;
    }

    private <T> T transact(JdbcTransactions.Call<T, SQLException> work) {
        try {
            return transactions.call(work);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The service's dead letters; nothing is collected before they are started. */
    DeadLetters.Builder letters() {
        return DeadLetters.builder(new JdbcDeadLetterStore(dataSource))
                .of(subscription, subscriptions)
                .errors(store);
    }

    @Override
    public void close() {
        subscriptions.close();
        dataSource.close();
    }

    static SubscriptionSpec subscription(NodeSettings spec) {
        List<Duration> delays = Arrays.stream(
                        spec.text("delaysMs", "1000,5000,10000").split(","))
                .map(ms -> Duration.ofMillis(Long.parseLong(ms)))
                .toList();
        return SubscriptionSpec.of(spec.text("source"), spec.text("group"))
                .withConcurrency(spec.number("concurrency", 4), spec.number("prefetch", 20))
                .withBatch(spec.number("together", 1))
                .withRetryDelays(delays);
    }

    static Subscriptions subscriptions(NodeSettings spec) {
        if (spec.text("broker").equals("rocketmq")) {
            return RocketMqSubscriptions.builder(spec.text("nameServer"))
                    .pollNameServer(Duration.ofSeconds(1))
                    .build();
        }
        return RabbitMqSubscriptions.builder(RelayNode.rabbit(spec))
                .deadLetters(new DeadLetterRoute.Published("", spec.text("dead"), spec.text("dead")))
                .longestReconnect(Duration.ofSeconds(1))
                .build();
    }
}
