package dev.waybill.starter;

import dev.waybill.message.Event;
import dev.waybill.message.LogText;
import dev.waybill.outbox.RelayListener;
import dev.waybill.store.UnreadableRow;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendTarget;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Passes every call to all listener beans. They are looked up at the first call and not when the relay is made, because a
 * listener may itself use the outbox.
 */
final class CompositeRelayListener implements RelayListener {

    private static final Logger log = LoggerFactory.getLogger(CompositeRelayListener.class);

    private final ObjectProvider<RelayListener> beans;
    private volatile @Nullable List<RelayListener> listeners;

    CompositeRelayListener(ObjectProvider<RelayListener> beans) {
        this.beans = beans;
    }

    @Override
    public void sent(Event event, Duration latency) {
        callEach(listener -> listener.sent(event, latency));
    }

    @Override
    public void confirmed(Event event, Duration age) {
        callEach(listener -> listener.confirmed(event, age));
    }

    @Override
    public void retried(Event event, int attempts, Duration delay, String error) {
        callEach(listener -> listener.retried(event, attempts, delay, error));
    }

    @Override
    public void dead(Event event, int attempts, String error) {
        callEach(listener -> listener.dead(event, attempts, error));
    }

    @Override
    public void unreadable(UnreadableRow row, String error) {
        callEach(listener -> listener.unreadable(row, error));
    }

    @Override
    public void destinationDown(SendTarget target, SendFailure failure, String detail) {
        callEach(listener -> listener.destinationDown(target, failure, detail));
    }

    @Override
    public void destinationUp(SendTarget target) {
        callEach(listener -> listener.destinationUp(target));
    }

    @Override
    public void leaseLost(int rows) {
        callEach(listener -> listener.leaseLost(rows));
    }

    @Override
    public void failed(Error error) {
        callEach(listener -> listener.failed(error));
    }

    @Override
    public void restarted() {
        callEach(RelayListener::restarted);
    }

    /** A listener that fails does not keep the next ones from being called. */
    private void callEach(Consumer<RelayListener> call) {
        for (RelayListener listener : listeners()) {
            try {
                call.accept(listener);
            } catch (RuntimeException e) {
                log.warn("[OutboxRelay] A listener failed; the relay goes on", LogText.thrown(e));
            }
        }
    }

    private List<RelayListener> listeners() {
        List<RelayListener> known = listeners;
        if (known == null) {
            known = beans.orderedStream().toList();
            listeners = known;
        }
        return known;
    }
}
