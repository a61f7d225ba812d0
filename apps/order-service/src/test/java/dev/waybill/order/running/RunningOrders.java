package dev.waybill.order.running;

import dev.waybill.order.OrderApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A running order service. */
public final class RunningOrders implements AutoCloseable {

    private final HttpClient http = HttpClient.newHttpClient();
    private final ConfigurableApplicationContext context;
    private final JdbcClient tables;

    private RunningOrders(ConfigurableApplicationContext context) {
        this.context = context;
        this.tables = JdbcClient.create(context.getBean(DataSource.class));
    }

    public static RunningOrders start(Map<String, String> settings) {
        return start(settings, context -> {});
    }

    /** Starts on a free port; the initializer may bring beans of its own. */
    public static RunningOrders start(
            Map<String, String> settings, ApplicationContextInitializer<GenericApplicationContext> initializer) {
        List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--server.address=127.0.0.1"));
        settings.forEach((name, value) -> arguments.add("--" + name + "=" + value));
        return new RunningOrders(OrderApplication.application()
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

    public HttpRequest.Builder request(String path) {
        int port = ((WebServerApplicationContext) context).getWebServer().getPort();
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    /** An order of two of one thing and one of another, 29.97 in all. */
    public Reply create(String clientRequestId, long userId) {
        return post("/orders", body(clientRequestId, userId));
    }

    public String newOrder() {
        return create(UUID.randomUUID().toString(), 10001).orderNo();
    }

    public static String body(String clientRequestId, long userId) {
        return body(clientRequestId, userId, """
                {"skuId":1001,"quantity":2,"price":9.99},{"skuId":1002,"warehouseId":2,"quantity":1,"price":9.99}""");
    }

    public static String body(String clientRequestId, long userId, String items) {
        return """
                {"clientRequestId":"%s","userId":%d,"items":[%s]}""".formatted(clientRequestId, userId, items);
    }

    public Reply cancel(String orderNo) {
        return post(
                "/orders/" + orderNo + "/cancel",
                "",
                "X-Idempotency-Key",
                UUID.randomUUID().toString());
    }

    public String statusOf(String orderNo) {
        return tables.sql("SELECT status FROM t_order WHERE order_no = ?")
                .param(orderNo)
                .query(String.class)
                .single();
    }

    public long count(String sql, Object... parameters) {
        return tables.sql(sql).params(parameters).query(Long.class).single();
    }

    public List<Map<String, Object>> rows(String sql, Object... parameters) {
        return tables.sql(sql).params(parameters).query().listOfRows();
    }

    /** Every row that any request could have written. */
    public long rowsInAll() {
        return count("SELECT (SELECT COUNT(*) FROM t_order) + (SELECT COUNT(*) FROM t_order_item)"
                + " + (SELECT COUNT(*) FROM t_order_state_flow) + (SELECT COUNT(*) FROM t_outbox_event)");
    }

    public long events(String orderNo, String tag) {
        return count("SELECT COUNT(*) FROM t_outbox_event WHERE biz_key = ? AND tag = ?", orderNo, tag);
    }

    @Override
    public void close() {
        context.close();
    }
}
