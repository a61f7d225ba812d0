package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.LogText;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.Confirmed;
import dev.waybill.transport.SendResult.NotConfirmed;
import dev.waybill.transport.SubscriptionSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns results into what the broker understands. A message that waits for another delivery, or becomes a dead letter, is in its new
 * place, confirmed, before the original is acknowledged: a crash in between makes two of it, never none.
 */
final class Acknowledger {

    private static final Logger log = LoggerFactory.getLogger(Acknowledger.class);

    /** A missing exchange, queue or binding may be there in a moment; after so many tries it is taken for good. */
    private static final int TRIES_BEFORE_SETTING_ASIDE = 4;

    private final SubscriptionSpec spec;
    private final DeadLetterRoute route;
    private final Republisher republisher;
    private final DeadLetterCollector collector;

    Acknowledger(SubscriptionSpec spec, DeadLetterRoute route, Republisher republisher, DeadLetterCollector collector) {
        this.spec = spec;
        this.route = route;
        this.republisher = republisher;
        this.collector = collector;
    }

    /**
     * Whether the broker took the answer. If not, the message is as it was, with its attempts unspent.
     *
     * @param tries how often the broker did not take it before
     */
    boolean acknowledge(UnackedMessage message, HandlerResult result, int tries) {
        if (result.isAcknowledged()) {
            message.acknowledge();
            return true;
        }
        if (result instanceof HandlerResult.Retry retry) {
            int attempt = RepublishHeaders.attempt(message.properties, spec.source());
            return attempt < spec.maxDeliveries()
                    ? postpone(message, attempt, retry.error(), tries)
                    : deadLetter(message, retry.error(), tries);
        }
        if (result instanceof HandlerResult.Reject reject) {
            return deadLetter(message, reject.error(), tries);
        }
        throw new IllegalArgumentException("unknown result " + result);
    }

    private boolean postpone(UnackedMessage message, int attempt, String error, int tries) {
        BasicProperties properties = RepublishHeaders.forRetry(message.properties, attempt + 1, error);
        var delay = spec.retryDelays().get(attempt - 1);
        SendResult result = republisher.publishLater(spec.source(), delay, properties, message.body);
        if (result instanceof NotConfirmed refused && forGood(refused, tries)) {
            return deadLetter(message, error + "; its retry was refused: " + refused.describe(), tries);
        }
        return settle(message, result, "Retry");
    }

    private boolean deadLetter(UnackedMessage message, String error, int tries) {
        boolean done = true;
        if (route instanceof DeadLetterRoute.Published to) {
            BasicProperties letter = RepublishHeaders.forDeadLetter(message.properties, spec.source(), error);
            SendResult result = republisher.publish(to.exchange(), to.routingKey(), letter, message.body);
            if (isIllegal(result)) {
                ShorterLetter shorter = publishShorter(to, message, error, result);
                letter = shorter.properties;
                result = shorter.result;
            }
            done = (result instanceof NotConfirmed refused && forGood(refused, tries))
                    ? setAside(message, letter, refused)
                    : settle(message, result, "Dead letter");
        } else {
            message.reject();
        }
        if (done) {
            log.warn(
                    "[RabbitMqSubscriptions] Dead letter eventId={} queue={} group={} attempt={} error={}",
                    LogText.token(message.properties.getMessageId()),
                    spec.source(),
                    spec.group(),
                    RepublishHeaders.attempt(message.properties, spec.source()),
                    LogText.sentence(error));
        }
        return done;
    }

    private static boolean isIllegal(SendResult result) {
        return result instanceof NotConfirmed refused && refused.failure() == SendFailure.ILLEGAL_MESSAGE;
    }

    private record ShorterLetter(BasicProperties properties, SendResult result) {}

    /**
     * The sender's headers leave no room for what a dead letter has to say, so the largest of them stay behind: one, two, four,
     * until it fits.
     */
    private ShorterLetter publishShorter(
            DeadLetterRoute.Published to, UnackedMessage message, String error, SendResult refused) {
        List<String> names = RepublishHeaders.largestFirst(message.properties);
        BasicProperties letter = message.properties;
        SendResult result = refused;
        List<String> leftOut = List.of();
        for (int count = 1; isIllegal(result) && leftOut.size() < names.size(); count *= 2) {
            leftOut = names.subList(0, Math.min(count, names.size()));
            String note = "left out " + leftOut.size() + " headers, the largest is " + LogText.token(leftOut.get(0))
                    + "; " + error;
            letter = RepublishHeaders.forDeadLetter(message.properties, spec.source(), note, leftOut);
            result = republisher.publish(to.exchange(), to.routingKey(), letter, message.body);
        }
        log.error(
                "[RabbitMqSubscriptions] [ALERT] Headers do not fit into a dead letter and are left out eventId={} queue={}"
                        + " group={} headers={} largest={} result={}",
                LogText.token(message.properties.getMessageId()),
                spec.source(),
                spec.group(),
                leftOut.size(),
                leftOut.isEmpty() ? "none" : LogText.token(leftOut.get(0)),
                LogText.sentence(result.toString()));
        return new ShorterLetter(letter, result);
    }

    private static boolean forGood(NotConfirmed refused, int tries) {
        return switch (refused.failure()) {
            case UNROUTABLE, TOPIC_UNAVAILABLE -> tries >= TRIES_BEFORE_SETTING_ASIDE;
            default -> refused.failure().permanent();
        };
    }

    /** A letter that its route refuses goes where a person finds it, so that it holds up nobody behind it. */
    private boolean setAside(UnackedMessage message, BasicProperties letter, NotConfirmed refused) {
        String place = placeFor(letter, message.body);
        if (place == null && refused.failure().permanent() && !message.firstAlert()) {
            return settle(message, refused, "Dead letter");
        }
        log.error(
                "[RabbitMqSubscriptions] [ALERT] The route refuses a dead letter eventId={} queue={} group={} cause={}, {}",
                LogText.token(message.properties.getMessageId()),
                spec.source(),
                spec.group(),
                LogText.sentence(refused.describe()),
                place == null ? "it is held and tried again" : "it is in " + place);
        if (place == null) {
            return false;
        }
        message.acknowledge();
        return true;
    }

    private @Nullable String placeFor(BasicProperties letter, byte[] body) {
        switch (collector.save(spec.source(), letter, body)) {
            case SAVED -> {
                return "the table of dead letters";
            }
            case REFUSED -> {
                return null;
            }
            case UNCLAIMED -> {}
        }
        if (republisher.publish("", route.queue(), letter, body) instanceof Confirmed) {
            return route.queue();
        }
        return republisher.publishAside(spec.source(), letter, body) instanceof Confirmed
                ? RetryQueues.aside(spec.source())
                : null;
    }

    private boolean settle(UnackedMessage message, SendResult result, String what) {
        if (result instanceof Confirmed) {
            message.acknowledge();
            return true;
        }
        log.warn(
                "[RabbitMqSubscriptions] {} not confirmed, held and tried again eventId={} queue={} result={}",
                what,
                LogText.token(message.properties.getMessageId()),
                spec.source(),
                LogText.sentence(result.toString()));
        return false;
    }
}
