package dev.waybill.flows;

import dev.waybill.inventory.InventoryApplication;
import dev.waybill.inventory.domain.StockGate;
import dev.waybill.inventory.domain.StockKey;
import dev.waybill.order.OrderApplication;
import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Both services on real servers: databases, topics and a Redis database of their own. */
final class RealStack implements AutoCloseable {

    private static final AtomicLong SKUS = new AtomicLong(System.currentTimeMillis() % 1_000_000 * 1_000);

    /** Away from what other tests keep in Redis. */
    private static final int REDIS_DATABASE = 9;

    final Http orders;
    final Http inventory;
    final List<String> orderSettings;
    final List<String> inventorySettings;
    private final String redisUrl;
    private @Nullable ConfigurableApplicationContext orderService;
    private @Nullable ConfigurableApplicationContext inventoryService;

    private RealStack(MariaDb sql, Redis redis, RocketMq broker) {
        String own = UUID.randomUUID().toString().substring(0, 8);
        Database orderTables = sql.freshDatabase();
        Database inventoryTables = sql.freshDatabase();
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

    /** Both services in this JVM; the settings are the inventory's, over those that all have. */
    static RealStack inThisProcess(MariaDb sql, Redis redis, RocketMq broker, String... ofTheInventory) {
        RealStack stack = new RealStack(sql, redis, broker);
        stack.inventorySettings.addAll(List.of(ofTheInventory));
        stack.startInventory();
        stack.orderService = OrderApplication.application().run(stack.orderSettings.toArray(String[]::new));
        return stack;
    }

    void startInventory() {
        inventoryService = InventoryApplication.application().run(inventorySettings.toArray(String[]::new));
    }

    void stopInventory() {
        running(inventoryService).close();
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
        return tables(inventoryService)
                .queryForList(
                        "SELECT payload_json FROM t_outbox_event WHERE biz_key = ? AND tag = 'STOCK_RESERVE_FAILED'",
                        String.class,
                        orderNo)
                .stream()
                .findFirst()
                .orElse("");
    }

    long countOrders(String sql, Object... arguments) {
        return count(tables(orderService), sql, arguments);
    }

    long countStock(String sql, Object... arguments) {
        return count(tables(inventoryService), sql, arguments);
    }

    /** What Redis knows of an article. */
    StockGate.View gate(long sku) {
        return running(inventoryService)
                .getBean(StockGate.class)
                .look(new StockKey(1, String.valueOf(sku)))
                .orElseThrow(() -> new AssertionError("the gate does not know " + sku));
    }

    private static JdbcTemplate tables(@Nullable ConfigurableApplicationContext service) {
        return running(service).getBean(JdbcTemplate.class);
    }

    private static long count(JdbcTemplate tables, String sql, Object... arguments) {
        Long found = tables.queryForObject(sql, Long.class, arguments);
        return found == null ? 0 : found;
    }

    private static ConfigurableApplicationContext running(@Nullable ConfigurableApplicationContext service) {
        return Objects.requireNonNull(service, "not started in this process");
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
        for (ConfigurableApplicationContext service : Arrays.asList(orderService, inventoryService)) {
            if (service != null) {
                service.close();
            }
        }
    }
}
