package dev.waybill.starter.inbox;

import dev.waybill.inbox.InboxListener;
import dev.waybill.message.Event;
import dev.waybill.message.LogText;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes every call to several listeners. */
final class CompositeInboxListener implements InboxListener {

    private static final Logger log = LoggerFactory.getLogger(CompositeInboxListener.class);

    private final List<InboxListener> listeners;

    CompositeInboxListener(List<InboxListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public void consumed(Event event, String group, Duration cost) {
        callEach(listener -> listener.consumed(event, group, cost));
    }

    @Override
    public void ignored(Event event, String group, String reason) {
        callEach(listener -> listener.ignored(event, group, reason));
    }

    @Override
    public void repeated(Event event, String group) {
        callEach(listener -> listener.repeated(event, group));
    }

    @Override
    public void passedOver(Event event, String group) {
        callEach(listener -> listener.passedOver(event, group));
    }

    @Override
    public void failed(Event event, String group, int attempt, String error) {
        callEach(listener -> listener.failed(event, group, attempt, error));
    }

    @Override
    public void deadLettered(Delivery delivery, String error) {
        callEach(listener -> listener.deadLettered(delivery, error));
    }

    @Override
    public void paused(String dependency) {
        callEach(listener -> listener.paused(dependency));
    }

    @Override
    public void resumed(String dependency) {
        callEach(listener -> listener.resumed(dependency));
    }

    /** A listener that fails does not keep the next ones from being called. */
    private void callEach(Consumer<InboxListener> call) {
        for (InboxListener listener : listeners) {
            try {
                call.accept(listener);
            } catch (RuntimeException e) {
                log.warn("[Inbox] A listener failed; the inbox goes on", LogText.thrown(e));
            }
        }
    }
}
