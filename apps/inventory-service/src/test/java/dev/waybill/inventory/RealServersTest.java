package dev.waybill.inventory;

import static dev.waybill.inventory.RunningInventory.created;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inbox.InboxListener;
import dev.waybill.inventory.domain.Cause;
import dev.waybill.inventory.domain.Line;
import dev.waybill.inventory.domain.OrderLines;
import dev.waybill.inventory.domain.ReservationService;
import dev.waybill.message.Event;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.ConcurrentCalls;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** On MariaDB, Redis and RocketMQ, with the reconciler running twenty times a second. */
@Servers({Server.MARIADB, Server.REDIS, Server.ROCKETMQ})
class RealServersTest implements GatePromises {

    private static final int CALLERS = 64;
    private static final int UNITS = 100;

    private static RunningInventory inventory;
    private static RedisClient client;
    private static RedisCommands<String, String> direct;

    @BeforeAll
    static void start(MariaDb mariaDb, Redis redis, RocketMq rocketMq) {
        RealServers servers = RealServers.of(mariaDb.freshDatabase(), redis, rocketMq, 5);
        client = RedisClient.create(servers.redisUrl());
        direct = client.connect().sync();
        direct.flushdb();
        inventory = RunningInventory.start(servers.settings(), CollectedFailures.class);
    }

    @AfterAll
    static void stop() {
        inventory.close();
        client.shutdown();
    }

    @Override
    public RunningInventory inventory() {
        return inventory;
    }

    /** Collects every failed delivery and every pause. No @Configuration, or other tests would find it by scanning. */
    static class CollectedFailures {

        private final Queue<String> failed = new ConcurrentLinkedQueue<>();
        private final Queue<String> paused = new ConcurrentLinkedQueue<>();

        @Bean
        InboxListener collectingListener() {
            return new InboxListener() {
                @Override
                public void failed(Event event, String group, int attempt, String error) {
                    failed.add(event.bizKey() + " " + error);
                }

                @Override
                public void paused(String dependency) {
                    paused.add(dependency);
                }
            };
        }
    }

    @Test
    void callersAtTheRowsSellExactlyWhatExists() {
        List<String> skus = stocked();
        ReservationService reservations = inventory.bean(ReservationService.class);
        TransactionTemplate transaction = inventory.bean(TransactionTemplate.class);
        ConcurrentCalls.run(CALLERS, caller -> {
            for (Event order : orders(skus, caller)) {
                OrderLines basket = basket(order);
                transaction.executeWithoutResult(
                        status -> reservations.reserve(basket, new Cause(order.type(), order.eventId())));
            }
            return caller;
        });
        assertSoldOut(skus);
    }

    @Test
    void messagesSellExactlyWhatExistsAlsoWhenRedisIsFlushedOnTheWay() {
        List<String> skus = stocked();
        List<Event> orders = ConcurrentCalls.run(CALLERS, caller -> {
                    List<Event> own = orders(skus, caller);
                    inventory.send(own);
                    if (caller % 8 == 0) {
                        direct.flushdb();
                    }
                    return own;
                })
                .stream()
                .flatMap(List::stream)
                .toList();
        inventory.until(() -> assertThat(orders)
                .allMatch(order -> inventory.published(order.bizKey()).size() == 1));
        assertSoldOut(skus);
    }

    @Test
    void anEmptyRedisRefusesNobody() {
        String sku = "SKU-" + UUID.randomUUID();
        inventory.receive(sku, 1);
        direct.flushdb();
        String order = "ORD" + UUID.randomUUID();
        inventory.send(created(order, sku, 1));
        assertThat(inventory.answer(order).type()).isEqualTo("StockReserved");
    }

    @Test
    void whileRedisIsDownOrdersWaitAndNoDeliveryIsSpent(Redis redis) {
        CollectedFailures failures = inventory.bean(CollectedFailures.class);
        String sku = "SKU-" + UUID.randomUUID();
        inventory.receive(sku, 20);
        long failuresBefore = failures.failed.size();
        redis.stop();
        List<Event> orders = IntStream.range(0, 10)
                .mapToObj(i -> created("ORD" + UUID.randomUUID(), sku, 1))
                .toList();
        inventory.send(orders);
        inventory.until(() -> assertThat(failures.paused).contains("stock gate"));
        inventory.receive(sku, 5);
        assertThat(inventory.available(sku)).isEqualTo(25);

        redis.start();
        orders.forEach(
                order -> assertThat(inventory.answer(order.bizKey()).type()).isEqualTo("StockReserved"));
        assertThat(inventory.available(sku)).isEqualTo(15);
        assertThat(failures.failed).hasSize((int) failuresBefore);
        inventory.untilGateAgrees(sku);
    }

    private static List<String> stocked() {
        List<String> skus = List.of("A-" + UUID.randomUUID(), "B-" + UUID.randomUUID(), "C-" + UUID.randomUUID());
        skus.forEach(sku -> inventory.receive(sku, UNITS));
        return skus;
    }

    /** Overlapping baskets, then single units: more of each SKU than there is, so that in the end nothing is left. */
    private static List<Event> orders(List<String> skus, int caller) {
        Random random = new Random(caller);
        List<Event> orders = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            orders.add(created(
                    "ORD" + UUID.randomUUID(),
                    skus.get((caller + i) % 3),
                    1 + random.nextInt(3),
                    skus.get((caller + i + 2) % 3),
                    1 + random.nextInt(3)));
        }
        for (int i = 0; i < 6; i++) {
            orders.add(created("ORD" + UUID.randomUUID(), skus.get(i % 3), 1));
        }
        return orders;
    }

    private static OrderLines basket(Event order) {
        List<Line> lines = new ArrayList<>();
        new JsonMapper()
                .readTree(order.payload())
                .path("items")
                .forEach(item -> lines.add(new Line(
                        1, item.path("skuId").asString(), item.path("quantity").asLong())));
        return new OrderLines(String.valueOf(order.bizKey()), lines);
    }

    private static void assertSoldOut(List<String> skus) {
        for (String sku : skus) {
            assertThat(inventory.available(sku)).as(sku).isZero();
            assertThat(inventory.reserved(sku)).as(sku).isEqualTo(UNITS);
            assertThat(inventory.count(
                            "SELECT sum(i.quantity) FROM t_inventory_reservation_item i"
                                    + " JOIN t_inventory_reservation r ON r.order_no = i.order_no"
                                    + " WHERE r.status = 'RESERVED' AND i.sku_id = ?",
                            sku))
                    .isEqualTo(UNITS);
            assertThat(inventory.count("SELECT min(available_after) FROM t_inventory_txn WHERE sku_id = ?", sku))
                    .isZero();
            inventory.untilGateAgrees(sku);
        }
    }
}
