package dev.waybill.marketplace.running;

import dev.waybill.marketplace.MarketplaceApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A running marketplace. */
public final class RunningMarket implements AutoCloseable {

    public static final Duration PATIENCE = Duration.ofSeconds(30);
    public static final long SELLER = 10002;

    private static final String OPERATOR_PASSWORD = "läßt:niemanden ein";
    private static final String LOGIN = "Basic "
            + Base64.getEncoder().encodeToString(("operator:" + OPERATOR_PASSWORD).getBytes(StandardCharsets.UTF_8));
    private static final AtomicLong BUYERS = new AtomicLong(20_000);

    private final HttpClient http = HttpClient.newHttpClient();
    private final ConfigurableApplicationContext context;
    private final JdbcClient tables;

    private RunningMarket(ConfigurableApplicationContext context) {
        this.context = context;
        this.tables = JdbcClient.create(context.getBean(DataSource.class));
    }

    public static RunningMarket start(Map<String, String> settings) {
        return start(settings, context -> {});
    }

    /** Starts on a free port; the initializer may bring beans of its own. */
    public static RunningMarket start(
            Map<String, String> settings, ApplicationContextInitializer<GenericApplicationContext> initializer) {
        List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--server.address=127.0.0.1"));
        arguments.add("--marketplace.operator.password=" + OPERATOR_PASSWORD);
        settings.forEach((name, value) -> arguments.add("--" + name + "=" + value));
        return new RunningMarket(MarketplaceApplication.application()
                .initializers(context -> initializer.initialize((GenericApplicationContext) context))
                .run(arguments.toArray(String[]::new)));
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public String setting(String name) {
        return context.getEnvironment().getRequiredProperty(name);
    }

    public Reply get(String path) {
        return send(request(path).GET());
    }

    public Reply post(String path) {
        return post(path, "");
    }

    public Reply post(String path, String body, String... headers) {
        HttpRequest.Builder request =
                request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    public Reply send(HttpRequest.Builder request) {
        try {
            return Reply.of(http.send(request.build(), BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** As the operator. */
    public HttpRequest.Builder request(String path) {
        return anonymousRequest(path).header("Authorization", LOGIN);
    }

    public HttpRequest.Builder anonymousRequest(String path) {
        int port = ((WebServerApplicationContext) context).getWebServer().getPort();
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    public static long newBuyer() {
        return BUYERS.incrementAndGet();
    }

    /** A bicycle for 88.50. */
    public long newProduct() {
        return post("/products", """
                {"sellerId":%d,"title":"自行车","price":88.50}""".formatted(SELLER)).id();
    }

    public Reply order(long buyerId, long productId) {
        return post("/orders", """
                {"buyerId":%d,"productId":%d}""".formatted(buyerId, productId));
    }

    /** A pending order of a buyer and a product of its own. */
    public Reply newOrder() {
        return order(newBuyer(), newProduct());
    }

    public Reply move(long orderId, String how) {
        return post("/orders/" + orderId + "/" + how);
    }

    public String statusOf(long orderId) {
        return text("SELECT status FROM orders WHERE id = ?", orderId);
    }

    public String productStatus(long productId) {
        return text("SELECT status FROM products WHERE id = ?", productId);
    }

    public String projected(long productId) {
        return text("SELECT status FROM inventory_projection WHERE product_id = ?", productId);
    }

    /** The outbox's word about the only event of this type that the order has. */
    public String outbox(long orderId, String type) {
        return text("SELECT status FROM outbox_events WHERE aggregate_id = ? AND event_type = ?", orderId, type);
    }

    public String eventId(long orderId, String type) {
        return text("SELECT event_id FROM outbox_events WHERE aggregate_id = ? AND event_type = ?", orderId, type);
    }

    public boolean consumed(String eventId) {
        return count("SELECT COUNT(*) FROM event_consume_log WHERE event_id = ?", eventId) == 1;
    }

    public String text(String sql, Object... parameters) {
        return tables.sql(sql).params(parameters).query(String.class).single();
    }

    public long count(String sql, Object... parameters) {
        return tables.sql(sql).params(parameters).query(Long.class).single();
    }

    public int update(String sql, Object... parameters) {
        return tables.sql(sql).params(parameters).update();
    }

    public List<Map<String, Object>> rows(String sql, Object... parameters) {
        return tables.sql(sql).params(parameters).query().listOfRows();
    }

    /** Every row that any request could have written. */
    public long rowsInAll() {
        return count("SELECT (SELECT COUNT(*) FROM products) + (SELECT COUNT(*) FROM orders)"
                + " + (SELECT COUNT(*) FROM outbox_events) + (SELECT COUNT(*) FROM buyer_credit)");
    }

    @Override
    public void close() {
        context.close();
    }
}
