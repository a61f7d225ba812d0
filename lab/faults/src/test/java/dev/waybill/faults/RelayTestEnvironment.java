package dev.waybill.faults;

import dev.waybill.jdbc.Ddl;
import dev.waybill.message.Event;
import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.ReplicatedRocketMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.SqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A fresh database with Waybill's table and a business table, a fresh destination, and a consumer behind it. */
final class RelayTestEnvironment implements AutoCloseable {

    /** Counts the rows that a relay has claimed; a token that begins with dashes marks a row that nobody has. */
    static final String CLAIMED =
            "SELECT COUNT(*) FROM waybill_outbox WHERE claim_token IS NOT NULL AND claim_token NOT LIKE '--%'";

    static final String UNSENT = "SELECT COUNT(*) FROM waybill_outbox WHERE status <> 'SENT'";

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    final String name;
    final NodeSettings spec;
    final Arrivals arrivals;
    private final Tables tables;

    private RelayTestEnvironment(String name, NodeSettings spec, Arrivals arrivals) {
        this.name = name;
        this.spec = spec;
        this.arrivals = arrivals;
        this.tables = new Tables(spec);
    }

    static RelayTestEnvironment of(PostgreSql sql, RabbitMq broker) {
        return onRabbit("PostgreSQL+RabbitMQ", sql, broker, "waybill");
    }

    static RelayTestEnvironment of(MariaDb sql, RocketMq broker) {
        return onRocket("MariaDB+RocketMQ", sql, broker, "waybill");
    }

    static RelayTestEnvironment onRabbit(String name, SqlServer sql, RabbitMq broker, String layout) {
        String amqp = broker.freshVhost().amqpUri();
        String exchange = "faults.events";
        NodeSettings spec = prepared(sql, layout)
                .with("broker", "rabbitmq")
                .with("amqp", amqp)
                .with("topic", exchange)
                .with("tag", "order.created");
        return new RelayTestEnvironment(name, spec, new RabbitMqArrivals(amqp, exchange));
    }

    static RelayTestEnvironment onRocket(String name, SqlServer sql, RocketMq broker, String layout) {
        String topic = "FAULTS_" + ProcessHandle.current().pid() + "_" + System.nanoTime() % 1_000_000 + "_"
                + NUMBERS.incrementAndGet();
        broker.createTopic(topic);
        broker.createGroup("arrivals_" + topic);
        return onTopic(name, prepared(sql, layout), broker.nameServer(), topic);
    }

    /** A second broker of this RocketMQ has a slave, and the environment's topic is there. */
    static RelayTestEnvironment onReplicatedTopic(SqlServer sql, ReplicatedRocketMq brokers) {
        brokers.createReplicatedTopic("FAULTS_REPLICATED");
        return onTopic("RocketMQ", prepared(sql, "waybill"), brokers.nameServer(), "FAULTS_REPLICATED");
    }

    private static RelayTestEnvironment onTopic(String name, NodeSettings prepared, String nameServer, String topic) {
        NodeSettings spec = prepared.with("broker", "rocketmq")
                .with("nameServer", nameServer)
                .with("topic", topic)
                .with("tag", "ORDER_CREATED");
        return new RelayTestEnvironment(name, spec, new RocketMqArrivals(nameServer, topic));
    }

    private static NodeSettings prepared(SqlServer sql, String layout) {
        Database database = sql.freshDatabase();
        NodeSettings spec = NodeSettings.on(database).with("layout", layout);
        try (var source = RelayNode.dataSource(spec.with("pool", 2));
                Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            Ddl.apply(source, RelayNode.layout(layout));
            statement.execute(Producers.BUSINESS_TABLE);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return spec;
    }

    /** A table created from a team's own DDL; only Waybill's tables beside it come from Waybill. */
    static RelayTestEnvironment onSeedTable(SeedLayout layout, MariaDb sql, RabbitMq broker) {
        Database database = sql.freshDatabase();
        NodeSettings spec = NodeSettings.on(database).with("layout", layout.table);
        try (var source = RelayNode.dataSource(spec.with("pool", 2));
                Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(layout.ddl());
            Ddl.apply(source, RelayNode.layout(layout.table));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        String amqp = broker.freshVhost().amqpUri();
        return new RelayTestEnvironment(
                layout.table,
                spec.with("broker", "rabbitmq")
                        .with("amqp", amqp)
                        .with("topic", "faults.events")
                        .with("tag", "order.created"),
                new RabbitMqArrivals(amqp, "faults.events"));
    }

    /** Appends a backlog that no relay was told of, and returns its ids. */
    List<String> fill(int events) {
        return fill(events, 200, Producers::event);
    }

    /** The same with events of a kind of their own, so many in one transaction. */
    List<String> fill(int events, int atOnce, Supplier<Event> event) {
        try (RelayNode silent = new RelayNode(spec.with("handoff", 0))) {
            List<String> ids = new ArrayList<>(events);
            while (ids.size() < events) {
                int more = Math.min(atOnce, events - ids.size());
                List<Event> batch = new ArrayList<>();
                for (int i = 0; i < more; i++) {
                    batch.add(event.get());
                }
                ids.addAll(silent.transact(connection -> silent.outbox.publishAll(batch)));
            }
            return ids;
        }
    }

    /**
     * Writes rows in bulk that are due since then and that no relay was told of. The first of them were due first.
     *
     * @param ids what their event ids begin with
     */
    void plant(String ids, int rows, String topic, Duration ago) {
        tables.executeAll(List.of(BulkRows.insert(spec.text("url"), ids, rows, topic, spec.text("tag"), ago)));
    }

    long count(String sql) {
        return tables.count(sql);
    }

    void execute(String sql) {
        tables.executeAll(List.of(sql));
    }

    void executeAll(List<String> statements) {
        tables.executeAll(statements);
    }

    List<String> texts(String sql) {
        return tables.texts(sql, 1);
    }

    List<String> texts(String sql, int column) {
        return tables.texts(sql, column);
    }

    /** How often a transaction has waited for another one's lock, on MariaDB and MySQL, since the server's start. */
    long lockWaits() {
        return Long.parseLong(tables.texts("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_waits'", 2)
                .get(0));
    }

    /** A figure for whoever reads the run. */
    void print(String format, Object... values) {
        Scenario.print("[" + name + "] " + String.format(Locale.ROOT, format, values));
    }

    @Override
    public void close() {
        arrivals.close();
    }
}
