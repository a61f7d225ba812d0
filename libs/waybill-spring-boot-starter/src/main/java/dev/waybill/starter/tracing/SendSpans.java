package dev.waybill.starter.tracing;

import dev.waybill.transport.SendResult;
import dev.waybill.transport.Transport;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The spans of one batch at the broker: each ends with the first result of its message. */
final class SendSpans implements Transport.SendResults {

    private final AtomicReferenceArray<EventSpan> unanswered;
    private final Transport.SendResults results;

    SendSpans(List<EventSpan> begun, Transport.SendResults results) {
        this.unanswered = new AtomicReferenceArray<>(begun.toArray(EventSpan[]::new));
        this.results = results;
    }

    @Override
    public void report(int index, SendResult result) {
        EventSpan span = unanswered.getAndSet(index, null);
        if (span != null) {
            end(span, result);
        }
        results.report(index, result);
    }

    private static void end(EventSpan span, SendResult result) {
        if (result instanceof SendResult.NotConfirmed not) {
            span.fail(not.failure().name().toLowerCase(Locale.ROOT), not.describe());
        } else {
            span.end("confirmed");
        }
    }

    /** The transport threw: nobody reports on the messages that have no result yet. */
    void failRest(Throwable thrown) {
        for (int i = 0; i < unanswered.length(); i++) {
            EventSpan span = unanswered.getAndSet(i, null);
            if (span != null) {
                span.fail("failed", thrown);
            }
        }
    }
}
