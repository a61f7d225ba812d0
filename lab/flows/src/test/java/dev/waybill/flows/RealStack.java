package dev.waybill.flows;

import dev.waybill.inventory.InventoryApplication;
import dev.waybill.inventory.domain.StockGate;
import dev.waybill.inventory.domain.StockKey;
import dev.waybill.order.OrderApplication;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.HttpCalls;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.OrderFlowTopics;
import dev.waybill.servicetestkit.RunningService;
import dev.waybill.servicetestkit.ServiceSettings;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Both services on real servers: databases, topics and a Redis database of their own. */
final class RealStack implements AutoCloseable {

    private static final AtomicLong SKUS = new AtomicLong(System.currentTimeMillis() % 1_000_000 * 1_000);

    /** Who orders in these tests. */
    static final long USER = 7;

    /** Away from what other tests keep in Redis. */
    private static final int REDIS_DATABASE = 9;

    final HttpCalls orders;
    final HttpCalls inventory;
    final ServiceSettings orderSettings;
    final ServiceSettings inventorySettings;
    private final String redisUrl;
    private @Nullable RunningService orderService;
    private @Nullable RunningService inventoryService;

    private RealStack(MariaDb sql, Redis redis, RocketMq broker) {
        OrderFlowTopics topics = OrderFlowTopics.create(broker);
        int orderPort = freePort();
        int inventoryPort = freePort();
        this.redisUrl = redis.url() + "/" + REDIS_DATABASE;
        HttpCalls orderCalls = () -> orderPort;
        HttpCalls inventoryCalls = () -> inventoryPort;
        this.orders = orderCalls.with(BearerTokens.OF_TESTS.user(USER));
        this.inventory = inventoryCalls.with(BearerTokens.OF_TESTS.operator());
        this.orderSettings = topics.addToOrderService(settings(sql, orderPort));
        this.inventorySettings = topics.addToInventory(settings(sql, inventoryPort));
    }

    /** Not started: for tests that run the services as processes. */
    static RealStack settings(MariaDb sql, Redis redis, RocketMq broker) {
        return new RealStack(sql, redis, broker);
    }

    /** Both services in this JVM; the settings are the inventory's, over those that all have. */
    static RealStack inThisProcess(MariaDb sql, Redis redis, RocketMq broker, String... ofTheInventory) {
        RealStack stack = new RealStack(sql, redis, broker);
        stack.inventorySettings.change(ofTheInventory);
        return stack.started();
    }

    /** Both services in this JVM, with these settings over those that all have. */
    static RealStack inThisProcess(MariaDb sql, Redis redis, RocketMq broker, Map<String, String> ofBoth) {
        RealStack stack = new RealStack(sql, redis, broker);
        stack.inventorySettings.setAll(ofBoth);
        stack.orderSettings.setAll(ofBoth);
        return stack.started();
    }

    private RealStack started() {
        startInventory();
        orderService = new RunningService(OrderApplication.application(), orderSettings);
        return this;
    }

    void startInventory() {
        inventoryService = new RunningService(InventoryApplication.application(), inventorySettings);
    }

    void stopInventory() {
        running(inventoryService).close();
    }

    private ServiceSettings settings(MariaDb sql, int port) {
        return ServiceSettings.onDatabase(sql.freshDatabase())
                .set("server.port", port)
                .set("server.address", "127.0.0.1")
                .redis(redisUrl)
                .set("waybill.inbox.retry-delays", "1s,5s,10s")
                .set("spring.main.banner-mode", "off")
                .set("logging.level.root", "warn");
    }

    /** A new article with so many units in stock. */
    long received(int quantity) {
        long sku = SKUS.incrementAndGet();
        HttpReply answer = inventory.post(
                "/inventory/receive",
                "{\"warehouseId\":1,\"skuId\":" + sku + ",\"quantity\":" + quantity + "}",
                "X-Idempotency-Key",
                UUID.randomUUID().toString());
        if (answer.status() != 200) {
            throw new IllegalStateException(answer.body().toString());
        }
        return sku;
    }

    /** What the inventory published as short for this order. */
    String shortItems(String orderNo) {
        return running(inventoryService)
                .rows(
                        "SELECT payload_json FROM t_outbox_event WHERE biz_key = ? AND tag = 'STOCK_RESERVE_FAILED'",
                        orderNo)
                .stream()
                .map(row -> String.valueOf(row.get("payload_json")))
                .findFirst()
                .orElse("");
    }

    long countOrders(String sql, Object... arguments) {
        return running(orderService).count(sql, arguments);
    }

    long countStock(String sql, Object... arguments) {
        return running(inventoryService).count(sql, arguments);
    }

    /** What Redis knows of an article. */
    StockGate.View gate(long sku) {
        return running(inventoryService)
                .bean(StockGate.class)
                .look(new StockKey(1, String.valueOf(sku)))
                .orElseThrow(() -> new AssertionError("the gate does not know " + sku));
    }

    private static RunningService running(@Nullable RunningService service) {
        return Objects.requireNonNull(service, "not started in this process");
    }

    /** Removes everything from Redis: idempotency keys, limits and the gate's stock. */
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
        for (RunningService service : Arrays.asList(orderService, inventoryService)) {
            if (service != null) {
                service.close();
            }
        }
    }
}
