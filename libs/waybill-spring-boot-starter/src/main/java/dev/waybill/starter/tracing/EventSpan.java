package dev.waybill.starter.tracing;

import dev.waybill.message.LogText;
import dev.waybill.message.TraceParent;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.handler.TracingObservationHandler.TracingContext;
import org.jspecify.annotations.Nullable;

/** A span that has begun. It is ended once; the thread may be another one. */
final class EventSpan {

    /** Carries a failure's text into the span. Its place in the code says nothing. */
    private static final class FailedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        FailedException(String message) {
            super(message, null, false, false);
        }
    }

    private final Observation observation;

    EventSpan(Observation observation) {
        this.observation = observation;
    }

    /** What is sent with an event so that others continue here; null when nothing traces. */
    @Nullable TraceParent traceParent() {
        TracingContext tracing = observation.getContextView().get(TracingContext.class);
        return tracing == null ? null : traceParent(tracing.getSpan());
    }

    /** A tracer that is switched off hands out spans without ids, which no header may carry. */
    static @Nullable TraceParent traceParent(@Nullable Span span) {
        TraceContext context = span == null ? null : span.context();
        return context == null || !TraceParent.isTraceId(context.traceId())
                ? null
                : TraceParent.of(context.traceId(), context.spanId(), Boolean.TRUE.equals(context.sampled()));
    }

    /** Makes it the current span of this thread, until the scope is closed. */
    Observation.Scope open() {
        try {
            return observation.openScope();
        } catch (RuntimeException e) {
            SpanFailures.tell(e);
            return Observation.Scope.NOOP;
        }
    }

    /** Ends it well. Call it when no scope is open any more. */
    void end(String outcome) {
        try {
            observation.lowCardinalityKeyValue(KeyValue.of("waybill.outcome", outcome));
            observation.stop();
        } catch (RuntimeException e) {
            SpanFailures.tell(e);
        }
    }

    /** Ends it as failed. */
    void fail(String outcome, String error) {
        fail(outcome, new FailedException(LogText.sentence(error)));
    }

    void fail(String outcome, Throwable error) {
        try {
            observation.error(error);
        } catch (RuntimeException e) {
            SpanFailures.tell(e);
        }
        end(outcome);
    }
}
