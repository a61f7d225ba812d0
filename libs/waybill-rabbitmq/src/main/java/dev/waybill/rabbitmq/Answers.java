package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.transport.Outcome;
import dev.waybill.transport.Outcome.Confirmed;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns verdicts into what the broker understands. A message that waits for another delivery, or is buried, is in its new
 * place, confirmed, before the original is acknowledged: a crash in between makes two of it, never none.
 */
final class Answers {

    private static final Logger log = LoggerFactory.getLogger(Answers.class);

    private final SubscriptionSpec spec;
    private final DeadLetterRoute route;
    private final Postroom postroom;

    Answers(SubscriptionSpec spec, DeadLetterRoute route, Postroom postroom) {
        this.spec = spec;
        this.route = route;
        this.postroom = postroom;
    }

    /** Whether the broker took the answer. If not, the message goes back to its queue, with its attempts unspent. */
    boolean give(Handover handover, Verdict verdict) {
        if (verdict instanceof Verdict.Done) {
            handover.acknowledge();
            return true;
        }
        if (verdict instanceof Verdict.Again again) {
            int attempt = WaybillHeaders.attempt(handover.properties);
            return attempt < spec.maxDeliveries()
                    ? postpone(handover, attempt, again.error())
                    : bury(handover, again.error());
        }
        if (verdict instanceof Verdict.Bury bury) {
            return bury(handover, bury.error());
        }
        throw new IllegalArgumentException("unknown verdict " + verdict);
    }

    private boolean postpone(Handover handover, int attempt, String error) {
        BasicProperties properties = WaybillHeaders.forRetry(handover.properties, attempt + 1, error);
        var delay = spec.retryDelays().get(attempt - 1);
        return settle(handover, postroom.postLater(spec.source(), delay, properties, handover.body), "Retry");
    }

    private boolean bury(Handover handover, String error) {
        boolean buried = true;
        if (route instanceof DeadLetterRoute.Published to) {
            BasicProperties properties = WaybillHeaders.forBurial(handover.properties, spec.source(), error);
            Outcome outcome = postroom.post(to.exchange(), to.routingKey(), properties, handover.body);
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
                    WaybillHeaders.attempt(handover.properties),
                    error);
        }
        return buried;
    }

    private boolean settle(Handover handover, Outcome outcome, String what) {
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
