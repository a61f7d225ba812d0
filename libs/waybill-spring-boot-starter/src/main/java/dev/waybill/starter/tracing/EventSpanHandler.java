package dev.waybill.starter.tracing;

import dev.waybill.message.TraceParent;
import io.micrometer.observation.Observation;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;

/**
 * Makes a span of each event's observation. Its parent is read from the event's {@code traceparent} and not by the
 * application's propagators, which may speak other formats and would take baggage along.
 */
final class EventSpanHandler implements TracingObservationHandler<EventSpanContext> {

    private final Tracer tracer;

    EventSpanHandler(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof EventSpanContext;
    }

    @Override
    public void onStart(EventSpanContext context) {
        Span.Builder span = tracer.spanBuilder().kind(context.kind()).name(getSpanName(context));
        TraceParent parent = context.parent();
        if (parent != null) {
            span.setParent(remote(parent));
        }
        getTracingContext(context).setSpan(span.start());
    }

    private TraceContext remote(TraceParent parent) {
        return tracer.traceContextBuilder()
                .traceId(parent.traceId())
                .spanId(parent.spanId())
                .sampled(parent.isSampled())
                .build();
    }

    @Override
    public void onStop(EventSpanContext context) {
        Span span = getRequiredSpan(context);
        tagSpan(context, span);
        endSpan(context, span);
    }

    @Override
    public Tracer getTracer() {
        return tracer;
    }
}
