package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.DefaultConsumer;
import dev.waybill.marketplace.domain.OrderTimeoutJob;
import dev.waybill.marketplace.running.RealMarket;
import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.message.Event;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.HttpReply;
import java.io.IOException;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Unpaid orders end, by message, by job, or by both, and once. */
@Servers({Server.MARIADB, Server.RABBITMQ})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
class TimeoutTest {

    private static final String JOB_OFF = "order.timeout.job.enabled=false";
    private static final String JOB_ON = "order.timeout.job.enabled=true";
    private static final String OFTEN = "order.timeout.job.interval=100ms";

    private RealMarket real;
    private FaultProxy proxy;

    @BeforeAll
    void start(MariaDb mariaDb, RabbitMq rabbitMq) throws Exception {
        proxy = FaultProxy.to(rabbitMq);
        real = RealMarket.start(
                mariaDb,
                rabbitMq,
                "spring.rabbitmq.host=" + proxy.host(),
                "spring.rabbitmq.port=" + proxy.port(),
                "order.timeout.pending=1s",
                OFTEN,
                JOB_OFF);
    }

    @AfterAll
    void stop() throws IOException {
        real.close();
        proxy.close();
    }

    private static ConditionFactory soon() {
        return await().atMost(RunningMarket.PATIENCE);
    }

    /** An empty delay queue takes the new settings. */
    private void restart(String... changes) {
        soon().until(() -> real.rabbit().depth("order.timeout.delay.queue") == 0);
        real.restart(changes);
    }

    private void assertClosedOnce(HttpReply order) {
        RunningMarket market = real.service();
        soon().untilAsserted(() -> assertThat(market.statusOf(order.id())).isEqualTo("cancelled"));
        long product = order.data().path("productId").asLong();
        long buyer = order.data().path("buyerId").asLong();
        assertThat(market.get("/orders/" + order.id()).text("cancelReason")).isEqualTo("timeout");
        assertThat(market.productStatus(product)).isEqualTo("on_sale");
        // somebody else buys and pays it; nothing that still comes for the first order may touch that
        long second = soon().until(() -> buyAndPay(product), id -> id > 0);
        soon().until(() -> market.consumed(market.eventId(second, "ORDER_CREATED")));
        soon().until(() -> market.consumed(market.eventId(order.id(), "ORDER_TIMEOUT")));
        market.bean(OrderTimeoutJob.class).scan();
        assertThat(market.productStatus(product)).isEqualTo("sold");
        assertThat(market.projected(product)).isEqualTo("sold");
        HttpReply credit = market.get("/users/" + buyer + "/credit");
        assertThat(credit.data().path("recomputed").asInt()).isEqualTo(1);
        assertThat(credit.data().path("timeoutOrders").asInt()).isEqualTo(1);
        assertThat(credit.data().path("score").asInt()).isEqualTo(90);
    }

    /** A paid order's id; 0 when its own time was over first, which on a busy machine it may be. */
    private long buyAndPay(long product) {
        HttpReply second = real.service().order(RunningMarket.newBuyer(), product);
        boolean paid = second.code().equals("00000")
                && real.service().move(second.id(), "pay").text("status").equals("paid");
        return paid ? second.id() : 0;
    }

    @Test
    void theMessageAloneClosesAnUnpaidOrder() {
        restart("order.timeout.pending=1s", JOB_OFF);
        assertClosedOnce(real.service().newOrder());
    }

    @Test
    void messageAndJobTogetherCloseAnUnpaidOrderOnce() throws IOException {
        restart("order.timeout.pending=1s", JOB_ON);
        HttpReply order = real.service().newOrder();
        assertClosedOnce(order);
        Event another = Event.builder("ORDER_TIMEOUT")
                .aggregate("Order", String.valueOf(order.id()))
                .payload("{\"orderId\":%d,\"orderNo\":\"%s\",\"createTime\":\"2026-02-04T10:30:00Z\"}"
                        .formatted(order.id(), order.text("orderNo")))
                .build();
        real.publish("order.timeout", another);
        soon().until(() -> real.service().consumed(another.eventId()));
        assertThat(real.service()
                        .count(
                                "SELECT recomputed FROM buyer_credit WHERE buyer_id = ?",
                                order.data().path("buyerId").asLong()))
                .isEqualTo(1);
    }

    @Test
    void theJobAloneClosesWhileTheBrokerIsAwayAndTheLateMessageChangesNothing() {
        proxy.refuse();
        restart("order.timeout.pending=1s", JOB_ON); // starts all the same
        RunningMarket market = real.service();
        HttpReply order = market.newOrder();
        soon().untilAsserted(() -> assertThat(market.statusOf(order.id())).isEqualTo("cancelled"));
        assertThat(market.consumed(market.eventId(order.id(), "ORDER_TIMEOUT"))).isFalse();
        proxy.heal();
        assertClosedOnce(order);
    }

    @Test
    void anEarlyMessageComesBackWhenTheQueuesTtlIsNotTheSettings(CapturedOutput output) throws IOException {
        restart("order.timeout.pending=1s", JOB_OFF);
        // a queue that somebody reads is not declared anew
        var channel = real.rabbit().channel();
        String tag = channel.basicConsume("order.timeout.delay.queue", false, new DefaultConsumer(channel));
        int before = output.getOut().length();
        try {
            restart("order.timeout.pending=3s", JOB_OFF);
            assertThat(output.getOut().substring(before).lines())
                    .filteredOn(line -> line.contains("[Topology] queue=order.timeout.delay.queue exists with other"))
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains(" WARN "));
        } finally {
            channel.basicCancel(tag);
        }
        RunningMarket market = real.service();
        HttpReply order = market.newOrder();
        soon().untilAsserted(() -> assertThat(market.statusOf(order.id())).isEqualTo("cancelled"));
        assertThat(market.count(
                        "SELECT COUNT(*) FROM outbox_events WHERE aggregate_id = ? AND event_type = 'ORDER_TIMEOUT'",
                        order.id()))
                .as("messages that came too early, and the last")
                .isGreaterThanOrEqualTo(2);
        assertThat(market.count(
                        "SELECT TIMESTAMPDIFF(MICROSECOND, create_time, update_time) FROM orders WHERE id = ?",
                        order.id()))
                .as("microseconds to its end")
                .isGreaterThanOrEqualTo(3_000_000);
    }

    @Test
    void anEmptyDelayQueueIsDeclaredAnewWithTheChangedTtl() {
        restart("order.timeout.pending=2s", JOB_OFF);
        assertThat(ttl()).isEqualTo(2_000);
        restart("order.timeout.pending=90s", JOB_OFF);
        assertThat(ttl()).isEqualTo(90_000);
        assertThat(real.service().get("/products/1").status()).isIn(200, 404);
    }

    private long ttl() {
        return real.rabbit()
                .resources("queues")
                .valueStream()
                .filter(queue -> queue.path("name").asString().equals("order.timeout.delay.queue"))
                .findFirst()
                .orElseThrow()
                .path("arguments")
                .path("x-message-ttl")
                .asLong();
    }

    @Test
    void aPaidOrderIsNeverClosed() {
        restart("order.timeout.pending=1s", JOB_ON);
        RunningMarket market = real.service();
        HttpReply order = market.newOrder();
        String answer = market.move(order.id(), "pay").code();
        soon().until(() -> market.consumed(market.eventId(order.id(), "ORDER_TIMEOUT")));
        assertThat(market.statusOf(order.id())).isEqualTo(answer.equals("00000") ? "paid" : "cancelled");
        assertThat(market.productStatus(order.data().path("productId").asLong()))
                .isEqualTo(answer.equals("00000") ? "sold" : "on_sale");
    }
}
