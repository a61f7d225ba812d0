package dev.waybill.starter.tracing;

import dev.waybill.message.Envelope;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.MalformedEventException;
import dev.waybill.message.TraceId;
import dev.waybill.message.TraceParent;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.Receiver;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A span for each delivery, from its arrival to its result; the handler, and what it publishes, continue there. The span of a
 * single delivery is the current one of the thread meanwhile; those of a batch are so by {@link TracedHandler}.
 */
final class TracedReceiver implements Receiver {

    private final Receiver receiver;
    private final String system;
    private final EventSpans spans;

    TracedReceiver(Receiver receiver, String system, EventSpans spans) {
        this.receiver = receiver;
        this.system = system;
        this.spans = spans;
    }

    @Override
    public List<HandlerResult> receive(List<Delivery> batch) throws InterruptedException {
        List<EventSpan> begun = new ArrayList<>(batch.size());
        List<Delivery> deliveries = new ArrayList<>(batch.size());
        for (Delivery delivery : batch) {
            EventSpan span = begin(delivery);
            begun.add(span);
            deliveries.add(under(span.traceParent(), delivery));
        }
        try {
            List<HandlerResult> results =
                    begun.size() == 1 ? receive(begun.get(0), deliveries) : receiveTogether(begun, deliveries);
            for (int i = 0; i < begun.size(); i++) {
                end(begun.get(i), results.get(i));
            }
            return results;
        } catch (InterruptedException | RuntimeException | Error e) {
            begun.forEach(span -> span.fail("given back", e));
            throw e;
        }
    }

    @SuppressWarnings("try") // the scope is there to be closed
    private List<HandlerResult> receive(EventSpan span, List<Delivery> delivery) throws InterruptedException {
        try (Observation.Scope ignored = span.open()) {
            return receiver.receive(delivery);
        }
    }

    private List<HandlerResult> receiveTogether(List<EventSpan> begun, List<Delivery> deliveries)
            throws InterruptedException {
        BatchSpans.begin(begun);
        try {
            return receiver.receive(deliveries);
        } finally {
            BatchSpans.end();
        }
    }

    private EventSpan begin(Delivery delivery) {
        KeyValues known = KeyValues.of(
                "messaging.system",
                system,
                "messaging.destination.name",
                delivery.source(),
                "messaging.consumer.group.name",
                delivery.group(),
                "waybill.attempt",
                String.valueOf(delivery.attempt()));
        return spans.process(
                delivery.source(),
                parent(delivery),
                EventSpans.ids(delivery.messageId(), delivery.headers().get(TraceId.KEY), known));
    }

    private static @Nullable TraceParent parent(Delivery delivery) {
        return TraceParent.parse(delivery.headers().get(TraceParent.HEADER)).orElseGet(() -> fromBody(delivery));
    }

    /** A sender that is none of ours may have written the trace into the envelope only. */
    private static @Nullable TraceParent fromBody(Delivery delivery) {
        try {
            return TraceParent.parse(TraceParent.of(Envelope.decode(delivery.body())))
                    .orElse(null);
        } catch (MalformedEventException e) {
            return null; // the receiver makes a dead letter of it, in a trace of its own
        }
    }

    private static Delivery under(@Nullable TraceParent span, Delivery delivery) {
        if (span == null) {
            return delivery;
        }
        Map<String, String> headers = new HashMap<>(delivery.headers());
        headers.put(TraceParent.HEADER, span.header());
        return new Delivery(
                delivery.source(),
                delivery.group(),
                delivery.messageId(),
                headers,
                delivery.body(),
                delivery.attempt());
    }

    private static void end(EventSpan span, HandlerResult result) {
        if (result instanceof HandlerResult.Retry retry) {
            span.fail("retry", retry.error());
        } else if (result instanceof HandlerResult.Reject reject) {
            span.fail("reject", reject.error());
        } else {
            span.end("done");
        }
    }

    @Override
    public void endWaiting() {
        receiver.endWaiting();
    }
}
