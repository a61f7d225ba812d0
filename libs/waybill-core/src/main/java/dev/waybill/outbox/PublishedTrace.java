package dev.waybill.outbox;

import dev.waybill.message.Event;
import dev.waybill.message.TraceId;
import dev.waybill.message.TraceParent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The trace that an event is published under: what it brings itself, else what stands in the MDC.
 *
 * @param traceId our trace id, null when nothing traces the event
 * @param parent the W3C header to carry; without one it is made of the trace id when the event is sent
 */
record PublishedTrace(@Nullable String traceId, Optional<TraceParent> parent) {

    static PublishedTrace of(Event event) {
        String current = MDC.get(TraceId.KEY);
        String traceId = event.traceId() == null ? current : event.traceId();
        Optional<TraceParent> parent = TraceParent.parse(event.headers().get(TraceParent.HEADER));
        if (parent.isEmpty() && (traceId == null || traceId.equals(current))) {
            parent = TraceParent.parse(MDC.get(TraceParent.HEADER)); // that of another trace would be a lie
        }
        if (traceId == null) {
            return new PublishedTrace(parent.map(TraceParent::traceId).orElse(null), parent);
        }
        return new PublishedTrace(TraceId.isAcceptable(traceId) ? traceId : TraceParent.w3cTraceId(traceId), parent);
    }

    /** Puts the trace into the event; a header that is no traceparent goes. */
    void writeTo(Event.Builder event) {
        event.traceId(traceId).withoutHeader(TraceParent.HEADER);
        parent.ifPresent(header -> event.header(TraceParent.HEADER, header.header()));
    }
}
