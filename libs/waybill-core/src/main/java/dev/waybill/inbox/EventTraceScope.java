package dev.waybill.inbox;

import dev.waybill.message.Event;
import dev.waybill.message.TraceId;
import dev.waybill.message.TraceParent;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The event's trace in the MDC, until the end; what was there before comes back then. What the handler publishes meanwhile
 * goes on under it, and so does its {@code traceparent}.
 */
final class EventTraceScope {

    private final @Nullable String traceIdBefore = MDC.get(TraceId.KEY);
    private final @Nullable String parentBefore = MDC.get(TraceParent.HEADER);

    private EventTraceScope() {}

    /** The message's own headers win over those in its body, because instruments on the way write only the former. */
    static EventTraceScope begin(Event event, Map<String, String> messageHeaders) {
        EventTraceScope scope = new EventTraceScope();
        Optional<TraceParent> parent = TraceParent.parse(messageHeaders.get(TraceParent.HEADER))
                .or(() -> TraceParent.parse(TraceParent.of(event)));
        String traceId = TraceId.isAcceptable(event.traceId())
                ? event.traceId()
                : parent.map(TraceParent::traceId).orElse(null);
        put(TraceId.KEY, traceId); // better none than another event's
        put(TraceParent.HEADER, parent.map(TraceParent::header).orElse(null));
        return scope;
    }

    void end() {
        put(TraceId.KEY, traceIdBefore);
        put(TraceParent.HEADER, parentBefore);
    }

    private static void put(String key, @Nullable String value) {
        if (value == null) {
            MDC.remove(key);
        } else {
            MDC.put(key, value);
        }
    }
}
