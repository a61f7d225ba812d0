package dev.waybill.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.memory.MemoryBroker;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.order.running.Reply;
import dev.waybill.order.running.RunningOrders;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The default profile: nothing installed. */
class EmbeddedServiceTest {

    @TempDir
    Path folder;

    private RunningOrders orders;

    @BeforeEach
    void start() {
        orders = RunningOrders.start(Map.of("waybill.data-dir", folder.toString()));
    }

    @AfterEach
    void stop() {
        orders.close();
    }

    @Test
    void anOrderIsWrittenWithItsItemsItsHistoryAndItsEvent() {
        Reply created = orders.post("/orders", RunningOrders.body("first", 10001), "X-Trace-Id", "trace-1");
        assertThat(created.code()).isEqualTo("00000");
        assertThat(created.body().path("traceId").asString()).isEqualTo("trace-1");
        assertThat(created.orderNo()).matches("ORD[0-9]{21}");
        assertThat(created.data().propertyNames())
                .containsExactly("orderNo", "userId", "status", "amount", "items", "version", "createdAt", "updatedAt");
        assertThat(created.data().path("amount").decimalValue()).isEqualTo("29.97");
        assertThat(created.data().path("items").get(0).path("warehouseId").asInt())
                .isEqualTo(1);
        assertThat(orders.get("/orders/" + created.orderNo()).data()).isEqualTo(created.data());

        Reply flow = orders.get("/orders/" + created.orderNo() + "/flow");
        assertThat(flow.data()).hasSize(1);
        assertThat(flow.data().get(0).propertyNames())
                .containsExactly("fromStatus", "toStatus", "event", "eventId", "ignoredReason", "traceId", "createdAt");
        assertThat(flow.data().get(0).path("toStatus").asString()).isEqualTo("CREATED");
        assertThat(flow.data().get(0).path("traceId").asString()).isEqualTo("trace-1");

        await().untilAsserted(() -> assertThat(orders.bean(MemoryBroker.class).read("ORDER_TOPIC"))
                .singleElement()
                .satisfies(message -> {
                    Event event = Envelope.decode(message.message().body());
                    assertThat(event.bizKey()).isEqualTo(created.orderNo());
                    assertThat(event.traceId()).isEqualTo("trace-1");
                    assertThat(event.eventId())
                            .isEqualTo(flow.data().get(0).path("eventId").asString());
                }));
    }

    @Test
    void dataSurvivesARestart() {
        String orderNo = orders.newOrder();
        orders.close();
        start();
        assertThat(orders.get("/orders/" + orderNo).orderStatus()).isEqualTo("CREATED");
    }
}
