package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.message.HandlerResult;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.Confirmed;
import dev.waybill.transport.SubscriptionSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns results into what the broker understands. A message that waits for another delivery, or becomes a dead letter, is in its new
 * place, confirmed, before the original is acknowledged: a crash in between makes two of it, never none.
 */
final class Acknowledger {

    private static final Logger log = LoggerFactory.getLogger(Acknowledger.class);

    private final SubscriptionSpec spec;
    private final DeadLetterRoute route;
    private final Republisher republisher;

    Acknowledger(SubscriptionSpec spec, DeadLetterRoute route, Republisher republisher) {
        this.spec = spec;
        this.route = route;
        this.republisher = republisher;
    }

    /** Whether the broker took the answer. If not, the message goes back to its queue, with its attempts unspent. */
    boolean acknowledge(UnackedMessage message, HandlerResult result) {
        if (result.isAcknowledged()) {
            message.acknowledge();
            return true;
        }
        if (result instanceof HandlerResult.Retry retry) {
            int attempt = RepublishHeaders.attempt(message.properties);
            return attempt < spec.maxDeliveries()
                    ? postpone(message, attempt, retry.error())
                    : deadLetter(message, retry.error());
        }
        if (result instanceof HandlerResult.Reject reject) {
            return deadLetter(message, reject.error());
        }
        throw new IllegalArgumentException("unknown result " + result);
    }

    private boolean postpone(UnackedMessage message, int attempt, String error) {
        BasicProperties properties = RepublishHeaders.forRetry(message.properties, attempt + 1, error);
        var delay = spec.retryDelays().get(attempt - 1);
        return settle(message, republisher.publishLater(spec.source(), delay, properties, message.body), "Retry");
    }

    private boolean deadLetter(UnackedMessage message, String error) {
        boolean done = true;
        if (route instanceof DeadLetterRoute.Published to) {
            BasicProperties properties = RepublishHeaders.forDeadLetter(message.properties, spec.source(), error);
            SendResult result = republisher.publish(to.exchange(), to.routingKey(), properties, message.body);
            done = settle(message, result, "Dead letter");
        } else {
            message.reject();
        }
        if (done) {
            log.warn(
                    "[RabbitMqSubscriptions] Dead letter eventId={} queue={} group={} attempt={} error={}",
                    message.properties.getMessageId(),
                    spec.source(),
                    spec.group(),
                    RepublishHeaders.attempt(message.properties),
                    error);
        }
        return done;
    }

    private boolean settle(UnackedMessage message, SendResult result, String what) {
        if (result instanceof Confirmed) {
            message.acknowledge();
            return true;
        }
        log.warn(
                "[RabbitMqSubscriptions] {} not confirmed, the message comes back eventId={} queue={} result={}",
                what,
                message.properties.getMessageId(),
                spec.source(),
                result);
        message.requeue();
        return false;
    }
}
