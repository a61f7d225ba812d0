package dev.waybill.marketplace.messaging;

import dev.waybill.message.Event;
import dev.waybill.outbox.RelayListener;
import dev.waybill.store.UnreadableRow;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Logs every failed send with the frozen message, and raises an alert for an event that is given up. */
@Component
class SendFailureReporter implements RelayListener {

    static final String NOT_SENT = "消息发送失败";

    private static final Logger log = LoggerFactory.getLogger(SendFailureReporter.class);

    private final Alerts alerts;

    SendFailureReporter(Alerts alerts) {
        this.alerts = alerts;
    }

    @Override
    public void retried(Event event, int attempts, Duration delay, String error) {
        log.warn("[OutboxRelay] {} {} attempts={}", NOT_SENT, keys(event), attempts);
    }

    @Override
    public void dead(Event event, int attempts, String error) {
        alerts.raise(NOT_SENT, keys(event) + " attempts=" + attempts + " status=FAILED");
    }

    @Override
    public void unreadable(UnreadableRow row, String error) {
        alerts.raise(NOT_SENT, "eventId=" + row.eventId() + " attempts=" + (row.attempts() + 1) + " status=FAILED");
    }

    private static String keys(Event event) {
        return "eventId=" + event.eventId() + " traceId=" + event.traceId() + " type=" + event.type() + " queue="
                + event.destination();
    }
}
