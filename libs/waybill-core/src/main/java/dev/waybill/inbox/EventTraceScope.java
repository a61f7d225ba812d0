package dev.waybill.inbox;

import dev.waybill.message.Event;
import dev.waybill.message.TraceId;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** The event's trace id in the MDC, until the end; what was there before comes back then. */
final class EventTraceScope {

    private final @Nullable String before = MDC.get(TraceId.KEY);

    private EventTraceScope() {}

    static EventTraceScope begin(Event event) {
        EventTraceScope trace = new EventTraceScope();
        if (TraceId.isAcceptable(event.traceId())) {
            MDC.put(TraceId.KEY, event.traceId());
        } else {
            MDC.remove(TraceId.KEY); // better none than another event's
        }
        return trace;
    }

    void end() {
        if (before == null) {
            MDC.remove(TraceId.KEY);
        } else {
            MDC.put(TraceId.KEY, before);
        }
    }
}
