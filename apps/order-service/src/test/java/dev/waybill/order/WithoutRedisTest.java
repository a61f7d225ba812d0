package dev.waybill.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.order.running.RealOrders;
import dev.waybill.order.running.RunningOrders;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.BeanAdvice;
import dev.waybill.servicetestkit.ConcurrentCalls;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.ServiceSettings;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Nobody answers at Redis' address: the database's unique keys decide alone. */
@Servers(Server.MARIADB)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WithoutRedisTest {

    /** Numbers that are drawn before the usual ones. */
    private final Queue<String> drawn = new ConcurrentLinkedQueue<>();

    private RunningOrders orders;

    @BeforeAll
    void start(MariaDb mariaDb) {
        ServiceSettings settings = RealOrders.onDatabase(mariaDb.freshDatabase())
                .set("waybill.guard.redis.uri", "redis://127.0.0.1:1")
                .set("waybill.broker", "memory");
        orders = RunningOrders.start(
                settings,
                beans -> BeanAdvice.around(beans, "SerialNumbers", "next", usual -> {
                    String first = drawn.poll();
                    return first == null ? usual.proceed() : first;
                }));
    }

    @AfterAll
    void stop() {
        orders.close();
    }

    @Test
    void aHundredAtOnceAreOneOrderAndEveryCallerGetsIt() {
        String request = UUID.randomUUID().toString();
        List<HttpReply> replies = orders.createAtOnce(100, request, () -> {});
        assertThat(replies).extracting(HttpReply::code).containsOnly("00000");
        assertThat(replies.stream().map(HttpReply::data).distinct()).hasSize(1);
        assertThat(orders.count("SELECT COUNT(*) FROM t_order WHERE client_request_id = ?", request))
                .isEqualTo(1);
        assertThat(orders.events(replies.get(0).orderNo(), "ORDER_CREATED")).isEqualTo(1);
    }

    @Test
    void theSameOrderInOtherWordsIsTheSameRequest() {
        List<String> same = RunningOrders.sameInOtherWords(UUID.randomUUID().toString(), 10001);
        assertThat(same.stream()
                        .map(body -> orders.post("/orders", body).orderNo())
                        .distinct())
                .hasSize(1);
    }

    @Test
    void aHundredCancelsAtOnceTellOthersOnce() {
        String orderNo = orders.newOrder();
        List<HttpReply> replies = ConcurrentCalls.run(100, i -> orders.cancel(orderNo));
        assertThat(replies).extracting(HttpReply::dataStatus).containsOnly("CANCELED");
        assertThat(orders.events(orderNo, "ORDER_CANCELED")).isEqualTo(1);
        assertThat(orders.count("SELECT COUNT(*) FROM t_order_state_flow WHERE order_no = ?", orderNo))
                .isEqualTo(2);
    }

    @Test
    void aNumberThatIsTakenIsDrawnAgain() {
        String taken = orders.newOrder();
        drawn.add(taken);
        drawn.add(taken);
        HttpReply next = orders.create(UUID.randomUUID().toString(), 10001);
        assertThat(next.code()).isEqualTo("00000");
        assertThat(next.orderNo()).isNotEqualTo(taken);
        assertThat(drawn).isEmpty();
        assertThat(orders.count("SELECT COUNT(*) FROM t_order_item WHERE order_no = ?", taken))
                .isEqualTo(2);
    }
}
