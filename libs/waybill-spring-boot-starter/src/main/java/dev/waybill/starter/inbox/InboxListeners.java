package dev.waybill.starter.inbox;

import dev.waybill.inbox.InboxListener;
import dev.waybill.message.Event;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several listeners as one. */
final class InboxListeners implements InboxListener {

    private static final Logger log = LoggerFactory.getLogger(InboxListeners.class);

    private final List<InboxListener> listeners;

    InboxListeners(List<InboxListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public void consumed(Event event, String group, Duration cost) {
        tell(listener -> listener.consumed(event, group, cost));
    }

    @Override
    public void ignored(Event event, String group, String reason) {
        tell(listener -> listener.ignored(event, group, reason));
    }

    @Override
    public void repeated(Event event, String group) {
        tell(listener -> listener.repeated(event, group));
    }

    @Override
    public void passedOver(Event event, String group) {
        tell(listener -> listener.passedOver(event, group));
    }

    @Override
    public void failed(Event event, String group, int attempt, String error) {
        tell(listener -> listener.failed(event, group, attempt, error));
    }

    @Override
    public void deadLettered(Delivery delivery, String error) {
        tell(listener -> listener.deadLettered(delivery, error));
    }

    @Override
    public void paused(String dependency) {
        tell(listener -> listener.paused(dependency));
    }

    @Override
    public void resumed(String dependency) {
        tell(listener -> listener.resumed(dependency));
    }

    /** One listener's mistake is not the next one's loss. */
    private void tell(Consumer<InboxListener> news) {
        for (InboxListener listener : listeners) {
            try {
                news.accept(listener);
            } catch (RuntimeException e) {
                log.warn("[Inbox] A listener failed; the inbox goes on", e);
            }
        }
    }
}
