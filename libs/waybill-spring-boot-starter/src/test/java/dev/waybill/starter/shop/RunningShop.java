package dev.waybill.starter.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.Database;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.SqlServer;
import dev.waybill.servicetestkit.ServiceSettings;
import dev.waybill.store.OutboxStore;
import java.io.IOException;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
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
    private final ArrivedEvents arrived;
    private final JdbcTemplate outside;
    private final FaultProxy proxy;

    private RunningShop(
            ConfigurableApplicationContext context, ArrivedEvents arrived, JdbcTemplate outside, FaultProxy proxy) {
        this.context = context;
        this.arrived = arrived;
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
        ArrivedEvents arrived = ArrivedEvents.open(rabbitMq);
        ServiceSettings all = ServiceSettings.none()
                .set("shop.url", plain(server.jdbcUrl(proxy.host(), proxy.port(), database.name())))
                .set("shop.relay-url", database.jdbcUrl())
                .set("shop.user", database.user())
                .set("shop.password", database.password())
                .set("waybill.broker", "rabbitmq")
                .set("waybill.rabbitmq.uri", arrived.uri())
                .set("waybill.default-route.topic", ArrivedEvents.EXCHANGE)
                .set("waybill.outbox.ddl", "apply")
                .set("waybill.relay.lease", LEASE.toMillis() + "ms")
                .set("waybill.relay.poll-interval", "100ms")
                .change(settings);
        ConfigurableApplicationContext context = new SpringApplicationBuilder(ShopConfiguration.class)
                .web(WebApplicationType.NONE)
                .run(all.arguments());
        JdbcTemplate outside =
                new JdbcTemplate(new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password()));
        return new RunningShop(context, arrived, outside, proxy);
    }

    /** Without this, PostgreSQL's driver prepares COMMIT and then sends only the statement's name, which the fault proxy misses. */
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
        return arrived.eventIds();
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
        arrived.close();
    }
}
