package dev.waybill.order.running;

import dev.waybill.inbox.InboxListener;
import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.rocketmq.RocketMqTransport;
import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servicetestkit.ConfirmedSend;
import dev.waybill.servicetestkit.OrderFlowTopics;
import dev.waybill.servicetestkit.OrderStep;
import dev.waybill.servicetestkit.ServiceSettings;
import dev.waybill.transport.Transport;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The service on real servers; the test sends what the inventory would. */
public final class RealOrders implements AutoCloseable {

    public static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A Redis database of our own, so that a flush removes no other test's keys. */
    private static final String REDIS_DATABASE = "/5";

    private final RunningOrders service;
    private final Interruptions interruptions = new Interruptions();
    private final RepeatCounter repeats = new RepeatCounter();
    private final Transport inventory;
    private final RedisClient redis;
    private final StatefulRedisConnection<String, String> redisConnection;
    private final OrderFlowTopics topics;

    private RealOrders(Database database, String redisUri, OrderFlowTopics topics) {
        this.topics = topics;
        this.service = RunningOrders.start(
                topics.addToOrderService(onDatabase(database).redis(redisUri)), beans -> {
                    OrderStep.watch(beans, interruptions::reached);
                    beans.registerBean(InboxListener.class, () -> repeats);
                });
        this.inventory = RocketMqTransport.builder(topics.nameServer())
                .name("inventory")
                .producerGroup("inventory-" + topics.own())
                .build();
        inventory.start();
        this.redis = RedisClient.create(redisUri);
        this.redisConnection = redis.connect();
    }

    public static RealOrders start(MariaDb mariaDb, Redis redis, RocketMq rocketMq) {
        return new RealOrders(mariaDb.freshDatabase(), redis.url() + REDIS_DATABASE, OrderFlowTopics.create(rocketMq));
    }

    /** What every service on a real database is set up with; its rate limits are raised. */
    public static ServiceSettings onDatabase(Database database) {
        return OrderFlowTopics.raiseOrderLimits(ServiceSettings.onDatabase(database));
    }

    public RunningOrders service() {
        return service;
    }

    public Interruptions interruptions() {
        return interruptions;
    }

    public void flushRedis() {
        redis().flushdb();
    }

    public RedisCommands<String, String> redis() {
        return redisConnection.sync();
    }

    public Event reserved(String orderNo) {
        return send(stockEvent("StockReserved", "{\"orderNo\":\"" + orderNo + "\",\"items\":[]}"));
    }

    public Event reserveFailed(String orderNo) {
        return send(stockEvent(
                "StockReserveFailed",
                "{\"orderNo\":\"" + orderNo
                        + "\",\"shortItems\":[{\"warehouseId\":1,\"skuId\":1001,\"requested\":2,\"available\":1}]}"));
    }

    public static Event stockEvent(String type, String payload) {
        return Event.builder(type)
                .payload(payload)
                .occurredAt(Instant.now().minusSeconds(90)) // it was long under way
                .traceId(UUID.randomUUID().toString())
                .build();
    }

    /** Sends an event as the inventory does, and returns when the broker has it. */
    public Event send(Event event) {
        String tag = event.type().equals("StockReserved") ? "STOCK_RESERVED" : "STOCK_RESERVE_FAILED";
        ConfirmedSend.send(inventory, ConfirmedSend.message(Destination.of(topics.stock(), tag), event));
        return event;
    }

    /** How often the service recognised this event as a repeat. */
    public int repeatsOf(Event event) {
        return repeats.byEventId.getOrDefault(event.eventId(), 0);
    }

    private static final class RepeatCounter implements InboxListener {

        private final Map<String, Integer> byEventId = new ConcurrentHashMap<>();

        @Override
        public void repeated(Event event, String group) {
            byEventId.merge(event.eventId(), 1, Integer::sum);
        }
    }

    /** The event's status in the consume log, or empty. */
    public String consumed(Event event) {
        return service.rows("SELECT status FROM t_mq_consume_log WHERE event_id = ?", event.eventId()).stream()
                .map(row -> String.valueOf(row.get("status")))
                .findFirst()
                .orElse("");
    }

    @Override
    public void close() {
        inventory.close();
        redis.shutdown();
        service.close();
    }
}
