package dev.waybill.starter.tracing;

import dev.waybill.message.LogText;
import dev.waybill.message.TraceId;
import dev.waybill.message.TraceParent;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import org.jspecify.annotations.Nullable;

/** Begins spans of events, named and tagged as OpenTelemetry names those of messages. */
final class EventSpans {

    private final ObservationRegistry registry;
    private final Tracer tracer;

    EventSpans(ObservationRegistry registry, Tracer tracer) {
        this.registry = registry;
        this.tracer = tracer;
    }

    /** A span under what this thread does, else under this parent. */
    EventSpan publish(String what, @Nullable TraceParent otherwise, int events) {
        TraceParent current = EventSpan.traceParent(tracer.currentSpan());
        return begin(
                "publish",
                what,
                new EventSpanContext(Span.Kind.PRODUCER, current == null ? otherwise : null),
                KeyValues.of("messaging.batch.message_count", String.valueOf(events)));
    }

    /** A span of one attempt to send. */
    EventSpan send(String topic, @Nullable TraceParent parent, KeyValues known) {
        return begin("send", topic, new EventSpanContext(Span.Kind.PRODUCER, parent), known);
    }

    /** A span of one delivery. */
    EventSpan process(String source, @Nullable TraceParent parent, KeyValues known) {
        return begin("process", source, new EventSpanContext(Span.Kind.CONSUMER, parent), known);
    }

    /** An observation that cannot begin is none: the event goes on. */
    private EventSpan begin(String verb, String of, EventSpanContext context, KeyValues known) {
        try {
            return new EventSpan(Observation.createNotStarted("waybill." + verb, () -> context, registry)
                    .contextualName(verb + " " + of)
                    .lowCardinalityKeyValue("messaging.operation.type", verb)
                    .highCardinalityKeyValues(known)
                    .start());
        } catch (RuntimeException e) {
            SpanFailures.tell(e);
            return new EventSpan(Observation.NOOP);
        }
    }

    /** Ids of a message, as far as it has them; what others wrote is cut and escaped. */
    static KeyValues ids(@Nullable String messageId, @Nullable String traceId, KeyValues known) {
        KeyValues ids = messageId == null ? known : known.and("messaging.message.id", LogText.token(messageId));
        return traceId != null && TraceId.isAcceptable(traceId) ? ids.and("waybill.trace_id", traceId) : ids;
    }
}
