package dev.waybill.marketplace.messaging;

import dev.waybill.message.Event;
import dev.waybill.message.LogText;
import dev.waybill.outbox.RelayListener;
import dev.waybill.store.UnreadableRow;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Logs every failed send with the frozen message. What is given up also raises the alert {@code outbox-dead}, once for all. */
@Component
class SendFailureReporter implements RelayListener {

    static final String NOT_SENT = "消息发送失败";

    private static final Logger log = LoggerFactory.getLogger(SendFailureReporter.class);

    @Override
    public void retried(Event event, int attempts, Duration delay, String error) {
        log.warn("[OutboxRelay] {} {} attempts={}", NOT_SENT, keys(event), attempts);
    }

    @Override
    public void dead(Event event, int attempts, String error) {
        log.error("[OutboxRelay] [ALERT] {} {} attempts={} status=FAILED", NOT_SENT, keys(event), attempts);
    }

    @Override
    public void unreadable(UnreadableRow row, String error) {
        log.error(
                "[OutboxRelay] [ALERT] {} eventId={} attempts={} status=FAILED",
                NOT_SENT,
                LogText.token(row.eventId()),
                row.attempts() + 1);
    }

    private static String keys(Event event) {
        return "eventId=" + LogText.token(event.eventId()) + " traceId=" + LogText.token(event.traceId()) + " type="
                + LogText.token(event.type()) + " queue=" + LogText.token(String.valueOf(event.destination()));
    }
}
