package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.message.HandlerResult;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.Confirmed;
import dev.waybill.transport.SubscriptionSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns verdicts into what the broker understands. A message that waits for another delivery, or is buried, is in its new
 * place, confirmed, before the original is acknowledged: a crash in between makes two of it, never none.
 */
final class Acknowledger {

    private static final Logger log = LoggerFactory.getLogger(Acknowledger.class);

    private final SubscriptionSpec spec;
    private final DeadLetterRoute route;
    private final Republisher postroom;

    Acknowledger(SubscriptionSpec spec, DeadLetterRoute route, Republisher postroom) {
        this.spec = spec;
        this.route = route;
        this.postroom = postroom;
    }

    /** Whether the broker took the answer. If not, the message goes back to its queue, with its attempts unspent. */
    boolean give(UnackedMessage handover, HandlerResult verdict) {
        if (verdict instanceof HandlerResult.Done) {
            handover.acknowledge();
            return true;
        }
        if (verdict instanceof HandlerResult.Retry retry) {
            int attempt = RepublishHeaders.attempt(handover.properties);
            return attempt < spec.maxDeliveries()
                    ? postpone(handover, attempt, retry.error())
                    : deadLetter(handover, retry.error());
        }
        if (verdict instanceof HandlerResult.Reject reject) {
            return deadLetter(handover, reject.error());
        }
        throw new IllegalArgumentException("unknown verdict " + verdict);
    }

    private boolean postpone(UnackedMessage handover, int attempt, String error) {
        BasicProperties properties = RepublishHeaders.forRetry(handover.properties, attempt + 1, error);
        var delay = spec.retryDelays().get(attempt - 1);
        return settle(handover, postroom.postLater(spec.source(), delay, properties, handover.body), "Retry");
    }

    private boolean deadLetter(UnackedMessage handover, String error) {
        boolean buried = true;
        if (route instanceof DeadLetterRoute.Published to) {
            BasicProperties properties = RepublishHeaders.forDeadLetter(handover.properties, spec.source(), error);
            SendResult outcome = postroom.post(to.exchange(), to.routingKey(), properties, handover.body);
            buried = settle(handover, outcome, "Dead letter");
        } else {
            handover.reject();
        }
        if (buried) {
            log.warn(
                    "[RabbitMqSubscriptions] Dead letter eventId={} queue={} group={} attempt={} error={}",
                    handover.properties.getMessageId(),
                    spec.source(),
                    spec.group(),
                    RepublishHeaders.attempt(handover.properties),
                    error);
        }
        return buried;
    }

    private boolean settle(UnackedMessage handover, SendResult outcome, String what) {
        if (outcome instanceof Confirmed) {
            handover.acknowledge();
            return true;
        }
        log.warn(
                "[RabbitMqSubscriptions] {} not confirmed, the message comes back eventId={} queue={} outcome={}",
                what,
                handover.properties.getMessageId(),
                spec.source(),
                outcome);
        handover.requeue();
        return false;
    }
}
