package dev.waybill.starter.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Event;
import dev.waybill.starter.inbox.warehouse.RunningWarehouse;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a listener promises, on every broker and database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
interface ListenerPromises {

    RunningWarehouse running();

    String ordersSource();

    String stockSource();

    @Test
    default void anEventThatIsDeliveredThreeTimesHasOneEffect() {
        String order = order();
        Event created = created(order, 0);
        double repeats = running().counted("repeated", ordersSource());
        running().toOrders(created, 3);
        running().until(() -> {
            assertThat(running().counted("repeated", ordersSource())).isEqualTo(repeats + 2);
            assertThat(running().shipped(order)).hasSize(1);
        });
        assertThat(running().reserved(order)).isEqualTo(1);
        assertThat(running().calls(created)).isEqualTo(1);
        assertThat(running().inbox(created.eventId()))
                .singleElement()
                .satisfies(row -> assertThat(row).containsEntry("status", "SUCCESS"));
    }

    @Test
    default void anEventWhoseHandlerFailsTwiceIsRolledBackTwiceAndHasOneEffect() {
        String order = order();
        Event created = created(order, 2);
        running().toOrders(created, 1);
        running().until(() -> assertThat(running().shipped(order)).hasSize(1));
        assertThat(running().calls(created)).isEqualTo(3);
        assertThat(running().reserved(order)).isEqualTo(1);
        assertThat(running().letters(created)).isEmpty();
    }

    @Test
    default void anEventWhoseHandlerAlwaysFailsIsADeadLetterAfterFourDeliveries() {
        String order = order();
        Event created = created(order, Integer.MAX_VALUE);
        running().toOrders(created, 1);
        running().until(() -> assertThat(running().letters(created)).hasSize(1));
        assertThat(running().calls(created)).isEqualTo(4);
        assertThat(running().reserved(order)).isZero();
        assertThat(running().shipped(order)).isEmpty();
        assertThat(running().inbox(created.eventId())).singleElement().satisfies(row -> {
            assertThat(row).containsEntry("status", "FAILED");
            assertThat(String.valueOf(row.get("last_error"))).contains("the shelf is locked");
        });
    }

    @Test
    default void whatAHandlerPublishesCarriesTheTraceAndTheCause() {
        String order = order();
        String trace = "trace-" + order;
        Event created = created(order, 0).toBuilder().traceId(trace).build();
        running().toOrders(created, 1);
        running()
                .until(() -> assertThat(running().shipped(order))
                        .singleElement()
                        .satisfies(row -> assertThat(row)
                                .containsEntry("trace_id", trace)
                                .containsEntry("mdc_trace_id", trace)
                                .containsEntry("cause_id", created.eventId())));
    }

    @Test
    default void anUnknownTypeOnAnOwnedSourceIsADeadLetter() {
        Event unknown = Event.of("OrderFramed", "{}");
        running().toOrders(unknown, 1);
        running().until(() -> assertThat(running().letters(unknown)).hasSize(1));
        consumptionGoesOn();
    }

    @Test
    default void anUnknownTypeOnASharedSourceIsAcknowledgedAndCounted() {
        Event unknown = Event.of("StockCounted", "{}");
        double before = running().counted("passed.over", stockSource());
        running().toStock(unknown);
        running()
                .until(() -> assertThat(running().counted("passed.over", stockSource()))
                        .isEqualTo(before + 1));
        assertThat(running().inbox(unknown.eventId())).isEmpty();
        consumptionGoesOn();
        assertThat(running().letters(unknown)).isEmpty();
    }

    @Test
    default void anUnreadableMessageIsADeadLetterAtOnceWhileTheConsumerGoesOn() {
        Event noEnvelope = Event.of("OrderCreated", "{}");
        Event noObject = Event.of("OrderCreated", "[1, 2]");
        Event noOrderNo = Event.of("OrderCreated", "{\"failures\":0}");
        Event isNull = Event.of("OrderCreated", "null");
        running().toOrders(noEnvelope, "not json".getBytes(UTF_8));
        running().toOrders(noObject, 1);
        running().toOrders(noOrderNo, 1);
        running().toOrders(isNull, 1);
        running()
                .until(() -> assertThat(List.of(noEnvelope, noObject, noOrderNo, isNull))
                        .allSatisfy(unreadable ->
                                assertThat(running().letters(unreadable)).hasSize(1)));
        assertThat(running().calls(noObject)).isZero();
        consumptionGoesOn();
    }

    @Test
    default void anIgnoredEventIsDoneAndItsReasonKept() {
        Event canceled = Event.of("OrderCanceled", "{}");
        running().toOrders(canceled, 2);
        running()
                .until(() -> assertThat(running().inbox(canceled.eventId()))
                        .singleElement()
                        .satisfies(row -> {
                            assertThat(row).containsEntry("status", "IGNORED");
                            assertThat(String.valueOf(row.get("last_error"))).contains("NOTHING_RESERVED");
                        }));
        consumptionGoesOn();
        assertThat(running().calls(canceled)).isEqualTo(1);
    }

    /** Something sent now is handled, so what was sent before did not block the way. */
    private void consumptionGoesOn() {
        String order = order();
        running().toOrders(created(order, 0), 1);
        running().until(() -> assertThat(running().shipped(order)).hasSize(1));
    }

    static String order() {
        return "ORD-" + UUID.randomUUID();
    }

    static Event created(String order, int failures) {
        return Event.of("OrderCreated", "{\"orderNo\":\"" + order + "\",\"failures\":" + failures + "}");
    }
}
