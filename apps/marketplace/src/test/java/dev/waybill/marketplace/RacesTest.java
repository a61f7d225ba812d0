package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.guard.web.RefusedException;
import dev.waybill.marketplace.domain.Order;
import dev.waybill.marketplace.domain.OrderService;
import dev.waybill.marketplace.domain.OrderTimeoutJob;
import dev.waybill.marketplace.domain.OrderTimeoutService;
import dev.waybill.marketplace.domain.OrderTimeoutService.Outcome;
import dev.waybill.marketplace.domain.Trigger;
import dev.waybill.marketplace.running.RealMarket;
import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.ConcurrentCalls;
import dev.waybill.servicetestkit.HttpReply;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Many at once, on real servers: what decides is a row count of one. */
@Servers({Server.MARIADB, Server.RABBITMQ})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RacesTest {

    private static final String AGE = "UPDATE orders SET create_time = create_time - INTERVAL 16 MINUTE WHERE id = ?";

    private RealMarket real;
    private RunningMarket market;

    @BeforeAll
    void start(MariaDb mariaDb, RabbitMq rabbitMq) throws Exception {
        real = RealMarket.start(
                mariaDb,
                rabbitMq,
                "order.timeout.job.enabled=false",
                "spring.datasource.hikari.connection-timeout=30000"); // the machine may be busy
        market = real.service();
    }

    @AfterAll
    void stop() throws IOException {
        real.close();
    }

    @Test
    void ofTwoHundredBuyersOneGetsTheProduct() {
        long product = market.newProduct();
        List<HttpReply> replies = ConcurrentCalls.run(200, i -> market.order(RunningMarket.newBuyer(), product));
        assertThat(replies).filteredOn(reply -> reply.code().equals("00000")).hasSize(1);
        assertThat(replies)
                .filteredOn(reply -> reply.code().equals("STATE_INVALID"))
                .hasSize(199);
        assertThat(market.count("SELECT COUNT(*) FROM orders WHERE product_id = ?", product))
                .isEqualTo(1);
        assertThat(market.productStatus(product)).isEqualTo("sold");
    }

    @Test
    void paymentAndTimeoutRaceAndNeverBothWin() {
        List<Long> orders =
                ConcurrentCalls.run(
                                10,
                                i -> LongStream.range(0, 50)
                                        .mapToObj(j -> market.newOrder().id())
                                        .toList())
                        .stream()
                        .flatMap(List::stream)
                        .toList();
        orders.forEach(order -> market.update(AGE, order));
        Random random = new Random(500);
        int paid = 0;
        for (long order : orders) {
            int headStart = random.nextInt(-200, 1_000); // microseconds; a payment reads before it writes
            List<Boolean> won = ConcurrentCalls.run(2, i -> {
                pause(i == 0 ? -headStart : headStart);
                return i == 0 ? pay(order) : close(order);
            });
            assertThat(won).containsExactlyInAnyOrder(true, false);
            paid += won.get(0) ? 1 : 0;
            assertConsistent(order, won.get(0));
        }
        assertThat(orders).hasSize(500);
        assertThat(paid).as("payments that won").isBetween(1, 499); // or nothing raced
    }

    private static void pause(int micros) {
        long end = System.nanoTime() + Math.max(0, micros) * 1_000L;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private boolean pay(long order) {
        try {
            return market.bean(OrderService.class).move(order, Trigger.PAY).id() == order;
        } catch (RefusedException late) {
            return false;
        }
    }

    private boolean close(long order) {
        return new TransactionTemplate(market.bean(PlatformTransactionManager.class))
                        .<Outcome>execute(
                                status -> market.bean(OrderTimeoutService.class).close(order))
                == Outcome.CLOSED;
    }

    private void assertConsistent(long id, boolean paid) {
        Order order = market.bean(OrderService.class).find(id);
        assertThat(order.status().word()).isEqualTo(paid ? "paid" : "cancelled");
        assertThat(market.productStatus(order.productId())).isEqualTo(paid ? "sold" : "on_sale");
        assertThat(market.count("SELECT recomputed FROM buyer_credit WHERE buyer_id = ?", order.buyerId()))
                .isEqualTo(paid ? 0 : 1);
        assertThat(market.count(
                        "SELECT COUNT(*) FROM outbox_events WHERE aggregate_id = ? AND event_type = 'ORDER_PAID'", id))
                .isEqualTo(paid ? 1 : 0);
    }

    @Test
    void theProjectionIsWhatTheProductsAreAfterTwoHundredRandomOperations() {
        List<Long> products =
                LongStream.range(0, 12).mapToObj(i -> market.newProduct()).toList();
        ConcurrentCalls.run(8, thread -> {
            Random random = new Random(thread);
            for (int i = 0; i < 25; i++) {
                operate(random, products.get(random.nextInt(products.size())));
            }
            return thread;
        });
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(market.count(
                                "SELECT COUNT(*) FROM outbox_events e WHERE e.event_type = 'ORDER_CREATED' AND NOT EXISTS"
                                        + " (SELECT 1 FROM event_consume_log c WHERE c.event_id = e.event_id)"))
                        .as("events not yet consumed")
                        .isZero());
        assertThat(market.rows("SELECT p.id, p.status, i.status AS projected FROM products p"
                        + " LEFT JOIN inventory_projection i ON i.product_id = p.id"
                        + " WHERE i.status IS NULL OR i.status <> p.status"))
                .isEmpty();
        assertThat(market.count("SELECT COUNT(*) FROM orders WHERE status = 'cancelled' AND cancel_reason = 'timeout'"))
                .isPositive();
        assertThat(market.count("SELECT COUNT(*) FROM orders WHERE status = 'cancelled' AND cancel_reason = 'user'"))
                .isPositive();
        assertThat(market.rows("SELECT product_id FROM orders WHERE status <> 'cancelled'"
                        + " GROUP BY product_id HAVING COUNT(*) > 1"))
                .as("products ordered twice")
                .isEmpty();
    }

    /** Orders the product; where it is taken, cancels its order or lets it time out. */
    private void operate(Random random, long product) {
        HttpReply order = market.order(RunningMarket.newBuyer(), product);
        if (order.code().equals("00000")) {
            return;
        }
        market.rows("SELECT id FROM orders WHERE product_id = ? AND status = 'pending'", product)
                .forEach(row -> {
                    long id = ((Number) row.get("id")).longValue();
                    if (random.nextBoolean()) {
                        market.move(id, "cancel");
                    } else {
                        market.update(AGE, id);
                        market.bean(OrderTimeoutJob.class).scan();
                    }
                });
    }
}
