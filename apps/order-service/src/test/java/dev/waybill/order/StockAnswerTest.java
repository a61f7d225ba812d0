package dev.waybill.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.memory.MemoryBroker;
import dev.waybill.memory.MemoryTransport;
import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.order.running.RealOrders;
import dev.waybill.order.running.RunningOrders;
import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.CapturedLog;
import dev.waybill.servicetestkit.ConfirmedSend;
import dev.waybill.servicetestkit.OrderStep;
import dev.waybill.servicetestkit.ServiceSettings;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An order whose stock answer does not come is reported, and canceled in the end. */
@Servers(Server.MARIADB)
class StockAnswerTest {

    private static final String ALERT = "[StockAnswerWatch] [ALERT] orders wait for their stock answer";
    private static final String CLEARED = "[StockAnswerWatch] no order waits for its stock answer any more";

    @TempDir
    Path folder;

    private final MovedClock clock = new MovedClock();

    /** Runs on from now, and can be moved. */
    private static final class MovedClock extends Clock {

        private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

        void move(Duration by) {
            ahead.updateAndGet(by::plus);
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(ahead.get());
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("always UTC");
        }
    }

    private RunningOrders start(ServiceSettings settings) {
        return RunningOrders.start(
                settings.set("order.stock-answer.check-every", "50ms"),
                beans -> beans.registerBean("movedClock", Clock.class, () -> clock));
    }

    private static List<String> lines(CapturedLog log, String text) {
        return log.lines().stream().filter(line -> line.contains(text)).toList();
    }

    private static void answer(RunningOrders orders, String orderNo) {
        try (MemoryTransport inventory = new MemoryTransport(orders.bean(MemoryBroker.class))) {
            inventory.start();
            ConfirmedSend.send(
                    inventory,
                    ConfirmedSend.message(
                            Destination.of(orders.setting("order.stock-topic"), "STOCK_RESERVED"),
                            Event.of("StockReserved", "{\"orderNo\":\"" + orderNo + "\"}")));
        }
    }

    @Test
    void theyAreReportedOnceWithCountAndAgeAndClearedOnce() {
        try (RunningOrders orders = start(ServiceSettings.embedded(folder));
                CapturedLog log = new CapturedLog()) {
            String first = orders.newOrder();
            clock.move(Duration.ofSeconds(10));
            String second = orders.newOrder();
            clock.move(Duration.ofSeconds(121));
            await().atMost(RealOrders.PATIENCE).until(() -> lines(log, ALERT).size() == 1);
            assertThat(lines(log, ALERT).get(0))
                    .startsWith("WARN")
                    .contains("count=2", "oldestOrderNo=" + first, "oldestAgeSeconds=13");
            answer(orders, first);
            await().atMost(RealOrders.PATIENCE)
                    .until(() -> orders.statusOf(first).equals("STOCK_RESERVED"));
            assertThat(lines(log, CLEARED)).isEmpty();
            answer(orders, second);
            await().atMost(RealOrders.PATIENCE).until(() -> lines(log, CLEARED).size() == 1);

            String third = orders.newOrder();
            clock.move(Duration.ofMinutes(3));
            await().atMost(RealOrders.PATIENCE).until(() -> lines(log, ALERT).size() == 2);
            assertThat(orders.cancel(third).dataStatus()).isEqualTo("CANCELED");
            await().atMost(RealOrders.PATIENCE).until(() -> lines(log, CLEARED).size() == 2);
            assertThat(lines(log, ALERT)).hasSize(2);
        }
    }

    @Test
    void oneThatCannotBeCanceledHoldsUpNoOther() {
        AtomicReference<String> stubborn = new AtomicReference<>("");
        ServiceSettings settings = ServiceSettings.embedded(folder).set("order.stock-answer.check-every", "50ms");
        try (RunningOrders orders = RunningOrders.start(settings, beans -> {
            beans.registerBean("movedClock", Clock.class, () -> clock);
            OrderStep.watch(beans, (step, orderNo) -> {
                if (step == OrderStep.CANCEL_READ && orderNo.equals(stubborn.get())) {
                    throw new IllegalStateException("cannot be canceled");
                }
            });
        })) {
            stubborn.set(orders.newOrder());
            clock.move(Duration.ofSeconds(1));
            String other = orders.newOrder();
            clock.move(Duration.ofMinutes(61));
            await().atMost(RealOrders.PATIENCE)
                    .until(() -> orders.statusOf(other).equals("CANCELED"));
            assertThat(orders.statusOf(stubborn.get())).isEqualTo("CREATED");
        }
    }

    @Test
    void theyAreCanceledLikeAnyOtherAndALateAnswerIsIgnored() {
        try (RunningOrders orders = start(ServiceSettings.embedded(folder))) {
            String answered = orders.newOrder();
            answer(orders, answered);
            await().atMost(RealOrders.PATIENCE)
                    .until(() -> orders.statusOf(answered).equals("STOCK_RESERVED"));
            String waiting = orders.newOrder();
            String deleted = orders.newOrder();
            orders.update("UPDATE t_order SET deleted = 1 WHERE order_no = ?", deleted);
            clock.move(Duration.ofMinutes(61));
            await().atMost(RealOrders.PATIENCE)
                    .until(() -> orders.statusOf(waiting).equals("CANCELED"));
            var flow = orders.get("/orders/" + waiting + "/flow").data();
            assertThat(flow).hasSize(2);
            assertThat(flow.get(1).path("event").asString()).isEqualTo("CANCEL");
            assertThat(flow.get(1).path("fromStatus").asString()).isEqualTo("CREATED");
            assertThat(flow.get(1).path("traceId").asString()).hasSize(32);
            assertThat(orders.events(waiting, "ORDER_CANCELED")).isEqualTo(1);
            answer(orders, waiting);
            await().atMost(RealOrders.PATIENCE)
                    .until(() -> orders.count("SELECT COUNT(*) FROM t_mq_consume_log WHERE status = 'IGNORED'") == 1);
            assertThat(orders.statusOf(waiting)).isEqualTo("CANCELED");
            assertThat(orders.statusOf(answered)).isEqualTo("STOCK_RESERVED");
            assertThat(orders.statusOf(deleted)).isEqualTo("CREATED");
        }
    }

    @Test
    void withoutATimeNoneIsCanceled() {
        try (RunningOrders orders =
                        start(ServiceSettings.embedded(folder).set("order.stock-answer.cancel-after", "0"));
                CapturedLog log = new CapturedLog()) {
            String orderNo = orders.newOrder();
            clock.move(Duration.ofDays(30));
            await().atMost(RealOrders.PATIENCE).until(() -> lines(log, ALERT).size() == 1);
            answer(orders, orderNo);
            await().atMost(RealOrders.PATIENCE).until(() -> lines(log, CLEARED).size() == 1);
            assertThat(orders.statusOf(orderNo)).isEqualTo("STOCK_RESERVED");
        }
    }

    @Test
    void anAnswerThatComesBeforeTheCancelWins() {
        AtomicReference<RunningOrders> running = new AtomicReference<>();
        AtomicBoolean raced = new AtomicBoolean();
        try (RunningOrders orders = RunningOrders.start(
                ServiceSettings.embedded(folder).set("order.stock-answer.check-every", "50ms"), beans -> {
                    beans.registerBean("movedClock", Clock.class, () -> clock);
                    OrderStep.watch(beans, (step, orderNo) -> {
                        if (step == OrderStep.CANCEL_READ && raced.compareAndSet(false, true)) {
                            answer(running.get(), orderNo);
                            await().atMost(RealOrders.PATIENCE)
                                    .until(() -> running.get().statusOf(orderNo).equals("STOCK_RESERVED"));
                        }
                    });
                })) {
            running.set(orders);
            String orderNo = orders.newOrder();
            clock.move(Duration.ofHours(2));
            await().atMost(RealOrders.PATIENCE)
                    .until(() -> orders.statusOf(orderNo).equals("STOCK_RESERVED"));
            String next = orders.newOrder();
            clock.move(Duration.ofHours(2));
            await().atMost(RealOrders.PATIENCE)
                    .until(() -> orders.statusOf(next).equals("CANCELED"));
            assertThat(orders.statusOf(orderNo)).isEqualTo("STOCK_RESERVED");
            assertThat(orders.events(orderNo, "ORDER_CANCELED")).isZero();
        }
    }

    @Test
    void twoInstancesCancelEachOrderOnce(MariaDb mariaDb) {
        Database database = mariaDb.freshDatabase();
        try (RunningOrders one = start(onRealDatabase(database));
                RunningOrders other = start(onRealDatabase(database))) {
            int count = 250; // more than two batches
            List<String> waiting = Stream.generate(UUID::randomUUID)
                    .limit(count)
                    .map(request ->
                            one.create(request.toString(), RunningOrders.USER).orderNo())
                    .toList();
            clock.move(Duration.ofHours(2));
            await().atMost(RealOrders.PATIENCE)
                    .until(() -> other.count("SELECT COUNT(*) FROM t_order WHERE status = 'CANCELED'") == count);
            assertThat(waiting).doesNotHaveDuplicates();
            assertThat(one.count("SELECT COUNT(*) FROM t_outbox_event WHERE tag = 'ORDER_CANCELED'"))
                    .isEqualTo(count);
            assertThat(one.count("SELECT COUNT(*) FROM t_order_state_flow WHERE event = 'CANCEL'"))
                    .isEqualTo(count);
            // MariaDB counts the index's old entries, too, until it has purged them.
            await().atMost(RealOrders.PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    one.rows(
                                            "EXPLAIN SELECT order_no, created_at FROM t_order WHERE status = 'CREATED'"
                                                    + " AND deleted = 0 AND created_at < NOW() ORDER BY created_at, order_no LIMIT 100"))
                            .singleElement()
                            .satisfies(plan -> assertThat(plan).containsEntry("key", "idx_status_created")));
        }
    }

    private static ServiceSettings onRealDatabase(Database database) {
        return RealOrders.onDatabase(database)
                .set("waybill.guard.redis.uri", "redis://127.0.0.1:1") // nobody there
                .set("waybill.broker", "memory");
    }
}
