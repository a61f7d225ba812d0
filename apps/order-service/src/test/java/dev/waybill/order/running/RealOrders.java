package dev.waybill.order.running;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.InboxListener;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.order.domain.OrderCheckpoints;
import dev.waybill.rocketmq.RocketMqTransport;
import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.Transport;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The service on real servers, with the test in the inventory's place. */
public final class RealOrders implements AutoCloseable {

    public static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A Redis database of our own, so that a flush hurts nobody. */
    private static final String REDIS_DATABASE = "/5";

    private final RunningOrders service;
    private final Interruptions interruptions;
    private final Repeats repeats;
    private final Transport inventory;
    private final RedisClient redis;
    private final StatefulRedisConnection<String, String> direct;
    private final String stockTopic;

    private RealOrders(
            RunningOrders service,
            Interruptions interruptions,
            Repeats repeats,
            Transport inventory,
            RedisClient redis,
            String stockTopic) {
        this.service = service;
        this.interruptions = interruptions;
        this.repeats = repeats;
        this.inventory = inventory;
        this.redis = redis;
        this.direct = redis.connect();
        this.stockTopic = stockTopic;
    }

    public static RealOrders start(MariaDb mariaDb, Redis redis, RocketMq rocketMq) {
        String own = UUID.randomUUID().toString();
        rocketMq.createTopic("ORDER_TOPIC-" + own);
        rocketMq.createTopic("STOCK_TOPIC-" + own);
        Map<String, String> settings = onMariaDb(mariaDb.freshDatabase());
        settings.put("waybill.guard.redis.uri", redis.url() + REDIS_DATABASE);
        settings.put("waybill.guard.redis.timeout", "5s"); // the machine may be busy
        settings.put("waybill.rocketmq.name-server", rocketMq.nameServer());
        settings.put("waybill.routes.OrderCreated.topic", "ORDER_TOPIC-" + own);
        settings.put("waybill.routes.OrderCanceled.topic", "ORDER_TOPIC-" + own);
        settings.put("order.stock-topic", "STOCK_TOPIC-" + own);
        settings.put("order.stock-group", "order-service-" + own);
        Interruptions interruptions = new Interruptions();
        Repeats repeats = new Repeats();
        RunningOrders service = RunningOrders.start(settings, context -> {
            context.registerBean(OrderCheckpoints.class, () -> interruptions);
            context.registerBean(InboxListener.class, () -> repeats);
        });
        Transport inventory = RocketMqTransport.builder(rocketMq.nameServer())
                .name("inventory")
                .producerGroup("inventory-" + own)
                .build();
        inventory.start();
        RedisClient direct = RedisClient.create(redis.url() + REDIS_DATABASE);
        return new RealOrders(service, interruptions, repeats, inventory, direct, "STOCK_TOPIC-" + own);
    }

    /** What every service on MariaDB is set up with; the limits are out of the way. */
    public static Map<String, String> onMariaDb(Database database) {
        Map<String, String> settings = new HashMap<>();
        settings.put("spring.profiles.active", "real");
        settings.put("spring.datasource.url", database.jdbcUrl());
        settings.put("spring.datasource.username", database.user());
        settings.put("spring.datasource.password", database.password());
        for (String handler : List.of("create", "cancel")) {
            settings.put("waybill.guard.ratelimit.apis[OrderController." + handler + "].rate", "100000");
            settings.put("waybill.guard.ratelimit.apis[OrderController." + handler + "].capacity", "100000");
        }
        return settings;
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
        return direct.sync();
    }

    public Event reserved(String orderNo) {
        return tell(stockEvent("StockReserved", "{\"orderNo\":\"" + orderNo + "\",\"items\":[]}"));
    }

    public Event reserveFailed(String orderNo) {
        return tell(stockEvent(
                "StockReserveFailed",
                "{\"orderNo\":\"" + orderNo
                        + "\",\"shortItems\":[{\"warehouseId\":1,\"skuId\":1001,\"requested\":2,\"available\":1}]}"));
    }

    public static Event stockEvent(String type, String payload) {
        return Event.builder(type)
                .payload(payload)
                .traceId(UUID.randomUUID().toString())
                .build();
    }

    /** Sends an event as the inventory does, and returns when the broker has it. */
    public Event tell(Event event) {
        String tag = event.type().equals("StockReserved") ? "STOCK_RESERVED" : "STOCK_RESERVE_FAILED";
        CompletableFuture<SendResult> outcome = new CompletableFuture<>();
        inventory.send(
                List.of(new Message(
                        Destination.of(stockTopic, tag), event, Envelope.encode(event, BodyFormat.ENVELOPE))),
                (index, told) -> outcome.complete(told));
        assertThat(outcome.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join())
                .isInstanceOf(SendResult.Confirmed.class);
        return event;
    }

    /** How often the service recognised this event as a repeat. */
    public int repeatsOf(Event event) {
        return repeats.seen.getOrDefault(event.eventId(), 0);
    }

    private static final class Repeats implements InboxListener {

        private final Map<String, Integer> seen = new ConcurrentHashMap<>();

        @Override
        public void repeated(Event event, String group) {
            seen.merge(event.eventId(), 1, Integer::sum);
        }
    }

    /** The consume log's word about an event, or empty. */
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
