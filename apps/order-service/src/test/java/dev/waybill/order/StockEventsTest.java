package dev.waybill.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.Event;
import dev.waybill.order.running.RealOrders;
import dev.waybill.order.running.RunningOrders;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.CapturedLog;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.OrderStep;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** The inventory's answers, as real messages: every branch, in every order, repeated and unknown. */
@Servers({Server.MARIADB, Server.REDIS, Server.ROCKETMQ})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StockEventsTest {

    private RealOrders real;
    private RunningOrders orders;

    @BeforeAll
    void start(MariaDb mariaDb, Redis redis, RocketMq rocketMq) {
        real = RealOrders.start(mariaDb, redis, rocketMq);
        orders = real.service();
    }

    @AfterAll
    void stop() {
        real.close();
    }

    private void untilConsumed(Event event, String status) {
        await().atMost(RealOrders.PATIENCE)
                .untilAsserted(() -> assertThat(real.consumed(event)).isEqualTo(status));
    }

    private List<JsonNode> flow(String orderNo) {
        return StreamSupport.stream(
                        orders.get("/orders/" + orderNo + "/flow").data().spliterator(), false)
                .toList();
    }

    /** The history's line about this event. */
    private JsonNode line(String orderNo, Event event) {
        List<JsonNode> lines = flow(orderNo).stream()
                .filter(row -> row.path("eventId").asString("").equals(event.eventId()))
                .toList();
        assertThat(lines).hasSize(1);
        return lines.get(0);
    }

    private void assertIgnored(String orderNo, Event event, String status, String reason) {
        untilConsumed(event, "IGNORED");
        JsonNode line = line(orderNo, event);
        assertThat(line.path("ignoredReason").asString()).isEqualTo(reason);
        assertThat(line.path("fromStatus").asString()).isEqualTo(status);
        assertThat(line.path("toStatus").asString()).isEqualTo(status);
        assertThat(orders.statusOf(orderNo)).isEqualTo(status);
        assertThat(eventTime(event)).isEqualTo(event.occurredAt());
    }

    @Test
    void theFirstAnswerMovesTheOrderAndIsWrittenIntoItsHistory() {
        String orderNo = orders.newOrder();
        Event reserved;
        try (CapturedLog log = new CapturedLog()) {
            reserved = real.reserved(orderNo);
            untilConsumed(reserved, "SUCCESS");
            String line = "[StockEventConsumer] Message consumed successfully eventId=" + reserved.eventId();
            await().until(() -> log.lines().stream().anyMatch(each -> each.contains(line)));
        }
        HttpReply order = orders.get("/orders/" + orderNo);
        assertThat(order.dataStatus()).isEqualTo("STOCK_RESERVED");
        assertThat(order.data().path("version").asInt()).isEqualTo(1);
        JsonNode line = line(orderNo, reserved);
        assertThat(line.path("fromStatus").asString()).isEqualTo("CREATED");
        assertThat(line.path("toStatus").asString()).isEqualTo("STOCK_RESERVED");
        assertThat(line.path("event").asString()).isEqualTo("STOCK_RESERVED");
        assertThat(line.path("ignoredReason").isNull()).isTrue();
        assertThat(line.path("traceId").asString()).isEqualTo(reserved.traceId());
        assertThat(eventTime(reserved)).isEqualTo(reserved.occurredAt());
    }

    /** When the event happened, by the inventory, as the history has it. */
    private Instant eventTime(Event event) {
        Object stored = orders.rows("SELECT event_time FROM t_order_state_flow WHERE event_id = ?", event.eventId())
                .get(0)
                .get("event_time");
        return ((Timestamp) stored).toLocalDateTime().toInstant(ZoneOffset.UTC);
    }

    @Test
    void notEnoughStockEndsTheOrderAndItCannotBeCanceledAnyMore() {
        String orderNo = orders.newOrder();
        untilConsumed(real.reserveFailed(orderNo), "SUCCESS");
        assertThat(orders.statusOf(orderNo)).isEqualTo("STOCK_FAILED");
        HttpReply canceled = orders.cancel(orderNo);
        assertThat(canceled.status()).isEqualTo(409);
        assertThat(canceled.code()).isEqualTo("STATE_INVALID");
        assertThat(orders.events(orderNo, "ORDER_CANCELED")).isZero();
    }

    /** Scenario 1 of the seed: StockReserved overtakes StockReserveFailed. */
    @Test
    void aFailureThatComesAfterTheReservationIsIgnored() {
        String orderNo = orders.newOrder();
        untilConsumed(real.reserved(orderNo), "SUCCESS");
        assertIgnored(orderNo, real.reserveFailed(orderNo), "STOCK_RESERVED", "STATUS_NOT_CREATED");
        assertThat(flow(orderNo)).hasSize(3);
    }

    /** Scenario 2 of the seed: StockReserveFailed overtakes StockReserved. */
    @Test
    void aReservationThatComesAfterTheFailureIsIgnored() {
        String orderNo = orders.newOrder();
        untilConsumed(real.reserveFailed(orderNo), "SUCCESS");
        assertIgnored(orderNo, real.reserved(orderNo), "STOCK_FAILED", "STATUS_NOT_CREATED");
        assertThat(flow(orderNo)).hasSize(3);
    }

    /** Scenario 3 of the seed: the same event twice. */
    @Test
    void aRepeatLeavesExactlyOneLine() {
        String orderNo = orders.newOrder();
        Event reserved = real.reserved(orderNo);
        untilConsumed(reserved, "SUCCESS");
        try (CapturedLog log = new CapturedLog()) {
            real.send(reserved);
            real.send(reserved);
            await().atMost(RealOrders.PATIENCE)
                    .untilAsserted(() -> assertThat(real.repeatsOf(reserved)).isEqualTo(2));
            assertThat(log.lines()).as("the driver's warnings of duplicates").noneMatch(line -> line.contains("1062"));
        }
        assertThat(orders.statusOf(orderNo)).isEqualTo("STOCK_RESERVED");
        assertThat(flow(orderNo)).hasSize(2);
        assertThat(orders.count("SELECT COUNT(*) FROM t_mq_consume_log WHERE event_id = ?", reserved.eventId()))
                .isEqualTo(1);
    }

    @Test
    void anAnswerForACanceledOrderIsIgnored() {
        String orderNo = orders.newOrder();
        assertThat(orders.cancel(orderNo).dataStatus()).isEqualTo("CANCELED");
        assertIgnored(orderNo, real.reserved(orderNo), "CANCELED", "STATUS_NOT_CREATED");
    }

    @Test
    void anAnswerThatWasAllowedWhenReadButLostTheRaceIsIgnoredAsAConflict() {
        String orderNo = orders.newOrder();
        real.interruptions()
                .at(
                        OrderStep.STOCK_READ,
                        orderNo,
                        () -> assertThat(orders.cancel(orderNo).dataStatus()).isEqualTo("CANCELED"));
        assertIgnored(orderNo, real.reserved(orderNo), "CANCELED", "CAS_CONFLICT");
    }

    @Test
    void anAnswerForAnUnknownOrderFailsAndIsADeadLetterAtOnce() {
        Event lost = real.reserved("ORD209901010000000000000");
        assertDeadLetter(lost, "订单不存在");
    }

    @Test
    void anAnswerWithoutAnOrderNumberIsADeadLetterAtOnce() {
        assertDeadLetter(real.send(RealOrders.stockEvent("StockReserved", "{\"items\":[]}")), "缺少订单号");
    }

    private void assertDeadLetter(Event event, String error) {
        untilConsumed(event, "FAILED");
        Map<String, Object> log = orders.rows("SELECT * FROM t_mq_consume_log WHERE event_id = ?", event.eventId())
                .get(0);
        assertThat(log).containsEntry("last_error", error).containsEntry("attempts", 1);
        await().atMost(RealOrders.PATIENCE)
                .untilAsserted(() -> assertThat(
                                orders.rows("SELECT * FROM waybill_dead_letter WHERE event_id = ?", event.eventId()))
                        .hasSize(1));
    }

    @Test
    void anOrderIsCanceledFromEitherStateAndAgainReturnsTheSameOrder() {
        String fresh = orders.newOrder();
        String reserved = orders.newOrder();
        untilConsumed(real.reserved(reserved), "SUCCESS");
        for (String orderNo : List.of(fresh, reserved)) {
            HttpReply canceled = orders.cancel(orderNo);
            assertThat(canceled.dataStatus()).isEqualTo("CANCELED");
            assertThat(orders.cancel(orderNo).data()).isEqualTo(canceled.data());
            assertThat(orders.events(orderNo, "ORDER_CANCELED")).isEqualTo(1);
        }
        assertThat(flow(reserved).get(2).path("fromStatus").asString()).isEqualTo("STOCK_RESERVED");
        assertThat(orders.cancel("ORD209901010000000000000").code()).isEqualTo("NOT_FOUND");
    }
}
