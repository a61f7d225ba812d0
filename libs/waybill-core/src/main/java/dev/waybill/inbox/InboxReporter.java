package dev.waybill.inbox;

import dev.waybill.message.Event;
import dev.waybill.message.LogText;
import dev.waybill.message.StackTraces;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells what the inbox did: logs it under the consumer's name and passes it to the listener. */
final class InboxReporter {

    private static final Logger log = LoggerFactory.getLogger("dev.waybill.inbox.Inbox");

    private final String consumer;
    private final String group;
    private final InboxListener listener;
    private final StackTraces traces = new StackTraces();

    InboxReporter(String consumer, String group, InboxListener listener) {
        this.consumer = consumer;
        this.group = group;
        this.listener = listener;
    }

    void consumed(Event event, Delivery delivery, Duration cost) {
        if (log.isDebugEnabled()) {
            log.debug(
                    "[{}] Message consumed successfully {} costMs={}",
                    consumer,
                    keys(event, delivery),
                    cost.toMillis());
        }
        tell(() -> listener.consumed(event, group, cost));
    }

    void ignored(Event event, Delivery delivery, String reason) {
        log.info("[{}] Message ignored {} reason={}", consumer, keys(event, delivery), LogText.sentence(reason));
        tell(() -> listener.ignored(event, group, reason));
    }

    void repeated(Event event, Delivery delivery) {
        log.info("[{}] Message was handled before, repeat ignored {}", consumer, keys(event, delivery));
        tell(() -> listener.repeated(event, group));
    }

    void passedOver(Event event, Delivery delivery) {
        log.debug("[{}] Message of a type for others {}", consumer, keys(event, delivery));
        tell(() -> listener.passedOver(event, group));
    }

    void failed(Event event, Delivery delivery, String error, @Nullable Throwable cause) {
        boolean first = cause != null && traces.isNew(cause);
        log.warn(
                "[{}] Message failed {} attempt={} error={}",
                consumer,
                keys(event, delivery),
                delivery.attempt(),
                LogText.sentence(error),
                first ? LogText.thrown(cause) : null);
        if (!first && log.isDebugEnabled()) { // a copy of a stack trace costs too much for nobody
            log.debug("[{}] The failure of {}", consumer, LogText.token(event.eventId()), LogText.thrown(cause));
        }
        tell(() -> listener.failed(event, group, delivery.attempt(), error));
    }

    void deadLettered(Delivery delivery, String error) {
        log.error(
                "[{}] [ALERT] Message became a dead letter messageId={} topic={} group={} error={}",
                consumer,
                LogText.token(delivery.messageId()),
                LogText.token(delivery.source()),
                group,
                LogText.sentence(error));
        tell(() -> listener.deadLettered(delivery, error));
    }

    void parted(int size, Throwable cause) {
        if (log.isDebugEnabled()) {
            log.debug("[{}] A batch of {} is handled one by one", consumer, size, LogText.thrown(cause));
        }
    }

    void notNoted(Event event, RuntimeException cause) {
        log.warn(
                "[{}] The failure could not be written eventId={}",
                consumer,
                LogText.token(event.eventId()),
                LogText.thrown(cause));
    }

    void shortcutFailed(RuntimeException cause) {
        log.warn("[{}] The shortcut failed; the database decides", consumer, LogText.thrown(cause));
    }

    void paused(String dependency) {
        log.error(
                "[{}] [ALERT] paused: {} does not answer; no delivery is spent group={}", consumer, dependency, group);
        tell(() -> listener.paused(dependency));
    }

    void resumed(String dependency) {
        log.info("[{}] resumed: {} answers again group={}", consumer, dependency, group);
        tell(() -> listener.resumed(dependency));
    }

    private String keys(Event event, Delivery delivery) {
        return "eventId=" + LogText.token(event.eventId()) + " traceId=" + LogText.token(event.traceId()) + " topic="
                + LogText.token(delivery.source()) + " group=" + group + " type=" + LogText.token(event.type());
    }

    private void tell(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException e) {
            log.warn("[{}] A listener failed; the inbox goes on", consumer, LogText.thrown(e));
        }
    }
}
