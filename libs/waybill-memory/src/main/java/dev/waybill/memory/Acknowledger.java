package dev.waybill.memory;

import dev.waybill.message.HandlerResult;
import dev.waybill.message.LogText;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns results into what the broker does next: forget the message, deliver it again after a delay, or dead-letter it. */
final class Acknowledger {

    private static final Logger log = LoggerFactory.getLogger(Acknowledger.class);

    private final SubscriptionSpec spec;
    private final MemoryBroker broker;
    private final MessageSource source;

    Acknowledger(SubscriptionSpec spec, MemoryBroker broker, MessageSource source) {
        this.spec = spec;
        this.broker = broker;
        this.source = source;
    }

    void acknowledge(QueuedMessage message, HandlerResult result) {
        if (result instanceof HandlerResult.Retry retry && message.attempt() < spec.maxDeliveries()) {
            Duration delay = spec.retryDelays().get(message.attempt() - 1);
            source.deliverLater(message.next(broker.clock().instant().plus(delay), retry.error()));
        } else if (result instanceof HandlerResult.Retry retry) {
            deadLetter(message, retry.error());
        } else if (result instanceof HandlerResult.Reject reject) {
            deadLetter(message, reject.error());
        } else {
            source.forget(message);
        }
    }

    private void deadLetter(QueuedMessage message, String error) {
        log.warn(
                "[MemorySubscriptions] Dead letter eventId={} topic={} group={} attempt={} error={}",
                LogText.token(message.messageId()),
                spec.source(),
                spec.group(),
                message.attempt(),
                LogText.sentence(error));
        source.deadLetter(message.failed(error));
    }
}
