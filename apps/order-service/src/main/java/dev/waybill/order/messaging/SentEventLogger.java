package dev.waybill.order.messaging;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.message.TraceId;
import dev.waybill.outbox.RelayListener;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.stereotype.Component;

/** Logs every sent event at INFO. The library logs them at DEBUG; in this service the line is part of what operators rely on. */
@Component
class SentEventLogger implements RelayListener {

    private static final Logger log = LoggerFactory.getLogger(SentEventLogger.class);

    @Override
    @SuppressWarnings("try") // the MDC entry is there to be closed
    public void sent(Event event, Duration latency) {
        Destination destination = event.destination();
        try (MDC.MDCCloseable ignored = MDC.putCloseable(TraceId.KEY, event.traceId())) {
            log.info(
                    "[OutboxRelay] Event sent successfully eventId={} traceId={} topic={} tag={} type={} bizKey={}"
                            + " latencyMs={}",
                    event.eventId(),
                    event.traceId(),
                    destination == null ? null : destination.topic(),
                    destination == null ? null : destination.tag(),
                    event.type(),
                    event.bizKey(),
                    latency.toMillis());
        }
    }
}
