package dev.waybill.starter.tracing;

import dev.waybill.message.TraceParent;
import io.micrometer.observation.Observation;
import io.micrometer.tracing.Span;
import org.jspecify.annotations.Nullable;

/** What is known of an event's span when it begins. */
final class EventSpanContext extends Observation.Context {

    private final Span.Kind kind;
    private final @Nullable TraceParent parent;

    /**
     * Makes the context.
     *
     * @param parent null for a child of what this thread does, or a new trace
     */
    EventSpanContext(Span.Kind kind, @Nullable TraceParent parent) {
        this.kind = kind;
        this.parent = parent;
    }

    Span.Kind kind() {
        return kind;
    }

    @Nullable TraceParent parent() {
        return parent;
    }
}
