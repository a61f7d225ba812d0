package dev.waybill.starter.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.Database;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.SqlServer;
import dev.waybill.store.OutboxStore;
import java.io.IOException;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The shop, started against real servers, and what can be seen of it from outside. */
public final class RunningShop implements AutoCloseable {

    /** So short that a test can wait for it, and for whoever takes over. */
    public static final Duration LEASE = Duration.ofSeconds(1);

    /** Leaves the transactions to JDBC's own manager. */
    public static final String WITHOUT_JPA =
            "spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
                    + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration";

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ConfigurableApplicationContext context;
    private final Counter counter;
    private final JdbcTemplate outside;
    private final FaultProxy proxy;

    private RunningShop(
            ConfigurableApplicationContext context, Counter counter, JdbcTemplate outside, FaultProxy proxy) {
        this.context = context;
        this.counter = counter;
        this.outside = outside;
        this.proxy = proxy;
    }

    public static RunningShop start(SqlServer server, RabbitMq rabbitMq, String... settings) throws Exception {
        Database database = server.freshDatabase();
        try (var connection = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE shop_order (id VARCHAR(64) PRIMARY KEY)");
        }
        FaultProxy proxy = FaultProxy.to(server);
        Counter counter = Counter.open(rabbitMq);
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("shop.url", plain(server.jdbcUrl(proxy.host(), proxy.port(), database.name())));
        properties.put("shop.relay-url", database.jdbcUrl());
        properties.put("shop.user", database.user());
        properties.put("shop.password", database.password());
        properties.put("waybill.broker", "rabbitmq");
        properties.put("waybill.rabbitmq.uri", counter.uri());
        properties.put("waybill.default-route.topic", Counter.EXCHANGE);
        properties.put("waybill.outbox.ddl", "apply");
        properties.put("waybill.relay.lease", LEASE.toMillis() + "ms");
        properties.put("waybill.relay.poll-interval", "100ms");
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            properties.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        ConfigurableApplicationContext context = new SpringApplicationBuilder(ShopConfiguration.class)
                .web(WebApplicationType.NONE)
                .properties(properties)
                .run();
        JdbcTemplate outside =
                new JdbcTemplate(new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password()));
        return new RunningShop(context, counter, outside, proxy);
    }

    /** PostgreSQL's driver names a repeated COMMIT instead of spelling it out; the fault proxy waits for the word. */
    private static String plain(String url) {
        return url.startsWith("jdbc:postgresql:") ? url + "?prepareThreshold=0" : url;
    }

    public Shop shop() {
        return context.getBean(Shop.class);
    }

    public Propagation transaction() {
        return context.getBean(Propagation.class);
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Between business threads and the database. */
    public FaultProxy proxy() {
        return proxy;
    }

    /** The database as others see it: committed rows only. */
    public JdbcTemplate database() {
        return outside;
    }

    public List<String> arrived() {
        return counter.eventIds();
    }

    public List<String> committedOrders() {
        return outside.queryForList("SELECT biz_key FROM waybill_outbox ORDER BY biz_key", String.class);
    }

    public List<String> committedEvents() {
        return outside.queryForList("SELECT event_id FROM waybill_outbox", String.class);
    }

    /** Runs something on an empty table and says which orders it may leave; the broker must have got exactly those. */
    public void expect(List<String> orders, Consumer<RunningShop> scenario) {
        outside.execute("DELETE FROM waybill_outbox");
        int before = arrived().size();
        scenario.accept(this);
        String last = "last-" + UUID.randomUUID();
        transaction().required(status -> shop().publish(last));
        await().atMost(PATIENCE).until(() -> bean(OutboxStore.class).backlog().waiting() == 0);
        List<String> committed = committedEvents();
        await().atMost(PATIENCE).until(() -> arrived().size() >= before + committed.size());
        assertThat(arrived().subList(before, arrived().size())).containsExactlyInAnyOrderElementsOf(committed);
        assertThat(committedOrders())
                .filteredOn(order -> !order.startsWith("last-"))
                .containsExactlyInAnyOrderElementsOf(orders);
    }

    public boolean hasOrder(String order) {
        Integer found = outside.queryForObject("SELECT count(*) FROM shop_order WHERE id = ?", Integer.class, order);
        return found != null && found > 0;
    }

    @Override
    public void close() throws IOException {
        context.close();
        proxy.close();
        counter.close();
    }
}
