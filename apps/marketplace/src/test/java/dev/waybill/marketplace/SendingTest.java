package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.waybill.marketplace.running.RealMarket;
import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.PublishException;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.CapturedLog;
import dev.waybill.servicetestkit.HttpReply;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Sends that fail: nothing counts as sent that the broker did not confirm and route. */
@Servers({Server.MARIADB, Server.RABBITMQ})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SendingTest {

    private static final String EXCHANGE = "order.events.exchange";

    private RealMarket real;
    private FaultProxy proxy;
    private RunningMarket market;

    @BeforeAll
    void start(MariaDb mariaDb, RabbitMq rabbitMq) throws Exception {
        proxy = FaultProxy.to(rabbitMq);
        real = RealMarket.start(
                mariaDb,
                rabbitMq,
                "spring.rabbitmq.host=" + proxy.host(),
                "spring.rabbitmq.port=" + proxy.port(),
                "waybill.retry.schedule=2s,1s,1s",
                "waybill.relay.poll-interval=200ms");
        market = real.service();
    }

    @AfterAll
    void stop() throws IOException {
        real.close();
        proxy.close();
    }

    private static ConditionFactory soon() {
        return await().atMost(RunningMarket.PATIENCE);
    }

    private void untilOutboxStatus(String status, long order, String type) {
        soon().untilAsserted(() -> assertThat(market.outbox(order, type)).isEqualTo(status));
    }

    @Test
    void aReturnedMessageIsRetryAndSentOnceThereIsAQueue() throws IOException {
        HttpReply order;
        try (CapturedLog log = new CapturedLog()) {
            order = orderThatNoQueueTakes();
            soon().until(() ->
                    log.lines().stream().anyMatch(line -> line.contains("消息发送失败") && line.contains("ORDER_CREATED")));
        } finally {
            real.rabbit().channel().queueBind("inventory.update.queue", EXCHANGE, "order.created");
        }
        assertThat(market.outbox(order.id(), "ORDER_TIMEOUT")).isEqualTo("SENT");
        untilOutboxStatus("SENT", order.id(), "ORDER_CREATED");
        soon().until(() ->
                market.projected(order.data().path("productId").asLong()).equals("sold"));
    }

    /** Every connection declares the bindings when it is made, and the last of them may be made after the start. */
    private HttpReply orderThatNoQueueTakes() {
        return soon().until(
                        () -> {
                            real.rabbit().channel().queueUnbind("inventory.update.queue", EXCHANGE, "order.created");
                            HttpReply order = market.newOrder();
                            soon().until(() ->
                                    !market.outbox(order.id(), "ORDER_CREATED").equals("NEW"));
                            return Optional.of(order)
                                    .filter(made -> market.outbox(made.id(), "ORDER_CREATED")
                                            .equals("RETRY"));
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    @Test
    void aWithheldConfirmIsRetryThenSentAndTheRepeatHasNoEffect() throws Exception {
        HttpReply order = market.newOrder();
        untilOutboxStatus("SENT", order.id(), "ORDER_TIMEOUT");
        CompletableFuture<Void> withheld = proxy.cutAfter(Pattern.compile("order\\.paid"));
        market.move(order.id(), "pay");
        withheld.get(30, TimeUnit.SECONDS);
        untilOutboxStatus("RETRY", order.id(), "ORDER_PAID");
        untilOutboxStatus("SENT", order.id(), "ORDER_PAID");
        soon().until(() -> market.consumed(market.eventId(order.id(), "ORDER_PAID")));
        assertThat(market.count("SELECT COUNT(*) FROM fulfillments WHERE order_id = ?", order.id()))
                .isEqualTo(1);
    }

    @Test
    void afterFourNacksAnEventHasFailedAndAPersonIsCalledWhileOthersAreSent() {
        HttpReply order = market.newOrder();
        market.move(order.id(), "pay");
        untilOutboxStatus("SENT", order.id(), "ORDER_PAID");
        real.rabbit().setPolicy("order.status.sync.queue", "{\"max-length\":0,\"overflow\":\"reject-publish\"}");
        try {
            market.move(order.id(), "ship");
            untilOutboxStatus("RETRY", order.id(), "ORDER_STATUS_CHANGED");
            HttpReply other = market.newOrder();
            untilOutboxStatus("SENT", other.id(), "ORDER_CREATED");
            untilOutboxStatus("FAILED", order.id(), "ORDER_STATUS_CHANGED");
        } finally {
            real.rabbit().removePolicy();
        }
        String eventId = market.eventId(order.id(), "ORDER_STATUS_CHANGED");
        assertThat(market.count("SELECT retry_count FROM outbox_events WHERE event_id = ?", eventId))
                .isEqualTo(4);
        List<String> errors = market.rows("SELECT error FROM waybill_attempt WHERE event_id = ?", eventId).stream()
                .map(row -> String.valueOf(row.get("error")))
                .toList();
        assertThat(errors).hasSize(4).allMatch(error -> error.contains("NACKED"));
        soon().until(() -> real.alerts().stream()
                .anyMatch(alert -> alert.startsWith("outbox-dead")
                        && alert.contains("type=ORDER_STATUS_CHANGED")
                        && alert.contains("error=NACKED")));
    }

    @Test
    void aPayloadOfMoreThan64KilobytesIsRefusedAndNothingIsWritten() {
        TransactionTemplate transaction = new TransactionTemplate(market.bean(PlatformTransactionManager.class));
        Outbox outbox = market.bean(Outbox.class);
        HttpReply order = market.newOrder();
        long before = market.rowsInAll();
        assertThatExceptionOfType(PublishException.class)
                .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                    market.update("UPDATE products SET title = 'changed'");
                    outbox.publish(event(order, 64 * 1024 + 1));
                }))
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(PublishException.Reason.TOO_LARGE));
        assertThat(market.rowsInAll()).isEqualTo(before);
        transaction.executeWithoutResult(status -> outbox.publish(event(order, 60 * 1024)));
        untilOutboxStatus("SENT", order.id(), "ORDER_PAID");
    }

    private static Event event(HttpReply order, int bytes) {
        String frame = "{\"orderId\":" + order.id() + ",\"note\":\"\"}";
        return Event.builder("ORDER_PAID")
                .aggregate("Order", String.valueOf(order.id()))
                .payload(frame.replace("\"\"", "\"" + "x".repeat(bytes - frame.length()) + "\""))
                .build();
    }
}
