package dev.waybill.starter;

import dev.waybill.message.Event;
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
 * All listener beans as one. They are looked up when the first thing happens, not when the relay is made: a listener may
 * itself use the outbox.
 */
final class RelayListeners implements RelayListener {

    private static final Logger log = LoggerFactory.getLogger(RelayListeners.class);

    private final ObjectProvider<RelayListener> beans;
    private volatile @Nullable List<RelayListener> listeners;

    RelayListeners(ObjectProvider<RelayListener> beans) {
        this.beans = beans;
    }

    @Override
    public void sent(Event event, Duration latency) {
        tell(listener -> listener.sent(event, latency));
    }

    @Override
    public void retried(Event event, int attempts, Duration delay, String error) {
        tell(listener -> listener.retried(event, attempts, delay, error));
    }

    @Override
    public void dead(Event event, int attempts, String error) {
        tell(listener -> listener.dead(event, attempts, error));
    }

    @Override
    public void unreadable(UnreadableRow row, String error) {
        tell(listener -> listener.unreadable(row, error));
    }

    @Override
    public void destinationDown(SendTarget target, SendFailure failure, String detail) {
        tell(listener -> listener.destinationDown(target, failure, detail));
    }

    @Override
    public void destinationUp(SendTarget target) {
        tell(listener -> listener.destinationUp(target));
    }

    @Override
    public void leaseLost(int rows) {
        tell(listener -> listener.leaseLost(rows));
    }

    @Override
    public void failed(Error error) {
        tell(listener -> listener.failed(error));
    }

    /** One listener's mistake is not the next one's loss. */
    private void tell(Consumer<RelayListener> news) {
        for (RelayListener listener : listeners()) {
            try {
                news.accept(listener);
            } catch (RuntimeException e) {
                log.warn("[OutboxRelay] A listener failed; the relay goes on", e);
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
