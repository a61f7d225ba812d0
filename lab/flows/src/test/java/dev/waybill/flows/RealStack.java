package dev.waybill.flows;

import dev.waybill.inventory.InventoryService;
import dev.waybill.order.OrderService;
import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.context.ConfigurableApplicationContext;

/** Both services on real servers: databases, topics and a Redis database of their own. */
final class RealStack implements AutoCloseable {

    private static final AtomicLong SKUS = new AtomicLong(System.currentTimeMillis() % 1_000_000 * 1_000);

    /** Away from what other tests keep in Redis. */
    private static final int REDIS_DATABASE = 9;

    final Http orders;
    final Http inventory;
    final List<String> orderSettings;
    final List<String> inventorySettings;
    private final Database inventoryTables;
    private final String redisUrl;
    private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

    private RealStack(MariaDb sql, Redis redis, RocketMq broker) {
        String own = UUID.randomUUID().toString().substring(0, 8);
        Database orderTables = sql.freshDatabase();
        this.inventoryTables = sql.freshDatabase();
        this.redisUrl = redis.url() + "/" + REDIS_DATABASE;
        this.orders = new Http(freePort());
        this.inventory = new Http(freePort());
        String orderTopic = "ORDER_TOPIC-" + own;
        String stockTopic = "STOCK_TOPIC-" + own;
        broker.createTopic(orderTopic);
        broker.createTopic(stockTopic);
        this.orderSettings = settings(orders, orderTables, broker);
        orderSettings.addAll(List.of(
                "--waybill.routes.OrderCreated.topic=" + orderTopic,
                "--waybill.routes.OrderCanceled.topic=" + orderTopic,
                "--order.stock-topic=" + stockTopic,
                "--order.stock-group=order-" + own));
        for (String handler : List.of("create", "cancel")) { // the limit has tests of its own
            orderSettings.add("--waybill.guard.ratelimit.apis[OrderController." + handler + "].rate=100000");
            orderSettings.add("--waybill.guard.ratelimit.apis[OrderController." + handler + "].capacity=100000");
        }
        this.inventorySettings = settings(inventory, inventoryTables, broker);
        inventorySettings.addAll(List.of(
                "--waybill.routes.StockReserved.topic=" + stockTopic,
                "--waybill.routes.StockReserveFailed.topic=" + stockTopic,
                "--inventory.order-topic=" + orderTopic,
                "--inventory.group=inventory-" + own));
    }

    /** Started by whoever needs them as processes. */
    static RealStack settings(MariaDb sql, Redis redis, RocketMq broker) {
        return new RealStack(sql, redis, broker);
    }

    static RealStack inThisProcess(MariaDb sql, Redis redis, RocketMq broker) {
        RealStack stack = new RealStack(sql, redis, broker);
        stack.contexts.add(InventoryService.application().run(stack.inventorySettings.toArray(String[]::new)));
        stack.contexts.add(OrderService.application().run(stack.orderSettings.toArray(String[]::new)));
        return stack;
    }

    private List<String> settings(Http service, Database tables, RocketMq broker) {
        return new ArrayList<>(List.of(
                "--spring.profiles.active=real",
                "--server.port=" + service.port(),
                "--server.address=127.0.0.1",
                "--spring.datasource.url=" + tables.jdbcUrl(),
                "--spring.datasource.username=" + tables.user(),
                "--spring.datasource.password=" + tables.password(),
                "--waybill.guard.redis.uri=" + redisUrl,
                "--waybill.guard.redis.timeout=5s", // the machine may be busy
                "--waybill.rocketmq.name-server=" + broker.nameServer(),
                "--waybill.inbox.retry-delays=1s,5s,10s",
                "--spring.main.banner-mode=off",
                "--logging.level.root=warn"));
    }

    /** A fresh article with so many units on the shelf. */
    long received(int quantity) {
        long sku = SKUS.incrementAndGet();
        Http.Answer answer = inventory.post(
                "/inventory/receive",
                "{\"warehouseId\":1,\"skuId\":" + sku + ",\"quantity\":" + quantity + "}",
                "X-Idempotency-Key",
                UUID.randomUUID().toString());
        if (answer.status() != 200) {
            throw new IllegalStateException(answer.text());
        }
        return sku;
    }

    /** What the inventory published as missing for this order. */
    String shortItems(String orderNo) {
        try (Connection connection = DriverManager.getConnection(
                        inventoryTables.jdbcUrl(), inventoryTables.user(), inventoryTables.password());
                PreparedStatement query = connection.prepareStatement(
                        "SELECT payload_json FROM t_outbox_event WHERE biz_key = ? AND tag = 'STOCK_RESERVE_FAILED'")) {
            query.setString(1, orderNo);
            try (ResultSet rows = query.executeQuery()) {
                return rows.next() ? rows.getString(1) : "";
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Redis forgets everything: idempotency keys, limits and the gate's stock. */
    void flushRedis() {
        RedisClient client = RedisClient.create(redisUrl);
        try (var connection = client.connect()) {
            connection.sync().flushdb();
        } finally {
            client.shutdown();
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        for (int i = contexts.size() - 1; i >= 0; i--) {
            contexts.get(i).close();
        }
    }
}
