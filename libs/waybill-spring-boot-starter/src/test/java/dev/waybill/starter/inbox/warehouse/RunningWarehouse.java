package dev.waybill.starter.inbox.warehouse;

import static org.awaitility.Awaitility.await;

import dev.waybill.inbox.DeadLetters;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.servers.Database;
import dev.waybill.servicetestkit.ConfirmedSend;
import dev.waybill.servicetestkit.ServiceSettings;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import dev.waybill.transport.Transport;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The warehouse, started against real servers, and what can be seen of it from outside. */
public final class RunningWarehouse implements AutoCloseable {

    public static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Auto-configurations to exclude where JDBC's own manager shall have the transactions. */
    public static final String JPA = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
            + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration";

    private final ConfigurableApplicationContext context;
    private final JdbcTemplate outside;
    private final Destination orders;
    private final Destination stock;

    private RunningWarehouse(
            ConfigurableApplicationContext context, JdbcTemplate outside, Destination orders, Destination stock) {
        this.context = context;
        this.outside = outside;
        this.orders = orders;
        this.stock = stock;
    }

    /** Starts it on an empty database; the settings say which broker, sources and groups. */
    public static RunningWarehouse start(
            Database database, Destination orders, Destination stock, Map<String, Object> settings) {
        JdbcTemplate outside = createTables(database);
        ConfigurableApplicationContext context = new SpringApplicationBuilder(WarehouseConfiguration.class)
                .web(WebApplicationType.NONE)
                .run(basics(database)
                        .set("waybill.routes.StockReserved.topic", stock.topic())
                        .set("waybill.routes.StockReserved.tag", stock.tag())
                        .setAll(settings)
                        .arguments());
        return new RunningWarehouse(context, outside, orders, stock);
    }

    /** The warehouse's tables, and the way to look at them from outside. */
    public static JdbcTemplate createTables(Database database) {
        JdbcTemplate outside =
                new JdbcTemplate(new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password()));
        outside.execute("CREATE TABLE reserved (order_no VARCHAR(64) NOT NULL, event_id VARCHAR(64) NOT NULL)");
        outside.execute("CREATE TABLE shipped (order_no VARCHAR(64), trace_id VARCHAR(64), mdc_trace_id VARCHAR(64),"
                + " cause_id VARCHAR(64))");
        return outside;
    }

    /** What every warehouse is set up with. */
    public static ServiceSettings basics(Database database) {
        return ServiceSettings.none()
                .dataSource(database)
                .set("waybill.outbox.ddl", "apply")
                .set("waybill.inbox.ddl", "apply")
                .set("waybill.inbox.retry-delays", "1s,1s,1s");
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Sends one copy after the other. */
    public void toOrders(Event event, int copies) {
        for (int copy = 0; copy < copies; copy++) {
            send(ConfirmedSend.message(orders, event));
        }
    }

    public void toOrders(Event event, byte[] body) {
        send(new Message(orders, event, body));
    }

    public void toStock(Event event) {
        send(ConfirmedSend.message(stock, event));
    }

    private void send(Message message) {
        ConfirmedSend.send(bean(Transport.class), message);
    }

    /** Effects, committed ones only. */
    public int reserved(String orderNo) {
        return count("SELECT count(*) FROM reserved WHERE order_no = ?", orderNo);
    }

    public List<Map<String, Object>> shipped(String orderNo) {
        return outside.queryForList("SELECT * FROM shipped WHERE order_no = ?", orderNo);
    }

    public List<Map<String, Object>> inbox(String eventId) {
        return outside.queryForList("SELECT * FROM waybill_inbox WHERE event_id = ?", eventId);
    }

    public int calls(Event event) {
        return bean(Attempts.class).of(event.eventId());
    }

    public List<DeadLetter> letters(Event event) {
        return bean(DeadLetters.class).list(Filter.any(), 1_000, 0).stream()
                .map(StoredLetter::letter)
                .filter(letter -> event.eventId().equals(letter.messageId()))
                .toList();
    }

    /** A counter of the inbox, over all types. */
    public double counted(String meter, String topic) {
        return bean(MeterRegistry.class).find("waybill.inbox." + meter).tag("topic", topic).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    public void until(Runnable asserted) {
        await().atMost(PATIENCE).untilAsserted(asserted::run);
    }

    private int count(String sql, String argument) {
        Integer found = outside.queryForObject(sql, Integer.class, argument);
        return found == null ? 0 : found;
    }

    @Override
    public void close() {
        context.close();
    }
}
