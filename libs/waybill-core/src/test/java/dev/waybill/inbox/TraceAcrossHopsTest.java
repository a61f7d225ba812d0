package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.memory.MemoryOutboxStore;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.TraceId;
import dev.waybill.message.TraceParent;
import dev.waybill.outbox.Outbox;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;

/** The W3C trace of a request, over two outboxes and the consumer between them. */
@Timeout(20)
class TraceAcrossHopsTest {

    private static final String W3C = "0af7651916cd43dd8448eb211c80319c";
    private static final String UNSAMPLED = "00-" + W3C + "-b7ad6b7169203331-00";

    private final InboxParts parts = new InboxParts();
    private final MemoryOutboxStore rows = new MemoryOutboxStore(parts.transactions);
    private final Outbox outbox =
            Outbox.builder().store(rows).transactions(parts.transactions).build();
    private final Inbox inbox = parts.inbox(event -> {
                outbox.publish(Event.of("StockReserved", "{}"));
                outbox.publish(Event.of("StockReserved", "{}"));
                return HandlerResult.DONE;
            })
            .build();

    @AfterEach
    void clearTrace() {
        MDC.clear();
    }

    @Test
    void anUnsampledTraceparentStaysTheSameOverTwoHops() throws InterruptedException {
        MDC.put(TraceId.KEY, "order-17");
        MDC.put(TraceParent.HEADER, UNSAMPLED);

        Event first = published(Event.of("OrderCreated", "{}"));
        assertThat(first.traceId()).isEqualTo("order-17");
        assertThat(TraceParent.of(first)).isEqualTo(UNSAMPLED);

        MDC.clear();
        assertThat(handled(first, wireHeaders(first))).hasSize(2).allSatisfy(next -> {
            assertThat(next.traceId()).isEqualTo("order-17");
            assertThat(TraceParent.of(next)).isEqualTo(UNSAMPLED);
        });
        assertThat(MDC.get(TraceParent.HEADER)).isNull();
    }

    @Test
    void theW3cIdOfAnotherTextIsTheSameOnEveryHop() throws InterruptedException {
        MDC.put(TraceId.KEY, "order-17");

        Event first = published(Event.of("OrderCreated", "{}"));
        MDC.clear();

        assertThat(handled(first, wireHeaders(first)))
                .extracting(next ->
                        TraceParent.parse(TraceParent.of(next)).orElseThrow().traceId())
                .containsOnly(TraceParent.w3cTraceId("order-17"));
    }

    @Test
    void aForeignMessageWithATraceparentAloneIsHandledUnderItsTrace() throws InterruptedException {
        Event foreign = Event.of("OrderCreated", "{}");

        assertThat(handled(foreign, Map.of(TraceParent.HEADER, UNSAMPLED)))
                .hasSize(2)
                .allSatisfy(next -> {
                    assertThat(next.traceId()).isEqualTo(W3C);
                    assertThat(TraceParent.of(next)).isEqualTo(UNSAMPLED);
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"00-nonsense", "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "00-0-0-0", "a\nb"})
    void anInvalidTraceparentIsIgnoredWhereverItStands(String invalid) throws InterruptedException {
        MDC.put(TraceId.KEY, "order-17");
        MDC.put(TraceParent.HEADER, invalid);

        Event first = published(Event.builder("OrderCreated")
                .header(TraceParent.HEADER, invalid)
                .build());
        MDC.clear();

        assertThat(first.headers()).doesNotContainKey(TraceParent.HEADER);
        assertThat(handled(first, Map.of(TraceParent.HEADER, invalid)))
                .extracting(next ->
                        TraceParent.parse(TraceParent.of(next)).orElseThrow().traceId())
                .containsOnly(TraceParent.w3cTraceId("order-17"));
    }

    @Test
    void anEventOfAnotherTraceDoesNotTakeTheContextsTraceparent() {
        MDC.put(TraceId.KEY, "order-17");
        MDC.put(TraceParent.HEADER, UNSAMPLED);

        Event other =
                published(Event.builder("OrderCreated").traceId("order-18").build());

        assertThat(TraceParent.of(other)).startsWith("00-" + TraceParent.w3cTraceId("order-18") + "-");
    }

    @Test
    void anUnacceptableTraceIdIsReplacedByTheSameIdEachTime() {
        MDC.put(TraceId.KEY, "order 17\n");

        Event one = published(Event.of("OrderCreated", "{}"));
        Event two = published(Event.of("OrderCreated", "{}"));

        assertThat(one.traceId()).isEqualTo(two.traceId()).matches("[0-9a-f]{32}");
    }

    private Event published(Event event) {
        parts.transactions.inTransaction(() -> outbox.publish(event));
        return claimed().get(0);
    }

    private List<Event> handled(Event event, Map<String, String> headers) throws InterruptedException {
        Delivery delivery =
                new Delivery("ORDERS", InboxParts.GROUP, event.eventId(), headers, InboxParts.body(event), 1);
        assertThat(inbox.receive(List.of(delivery))).containsExactly(HandlerResult.DONE);
        return claimed();
    }

    private List<Event> claimed() {
        Lease lease = new Lease("relay", Duration.ofMinutes(1));
        return ClaimedRow.events(rows.claim(lease, 10, Set.of())).stream()
                .map(ClaimedEvent::event)
                .toList();
    }

    private static Map<String, String> wireHeaders(Event event) {
        @Nullable String traceparent = TraceParent.of(event);
        return traceparent == null ? Map.of() : Map.of(TraceParent.HEADER, traceparent);
    }
}
