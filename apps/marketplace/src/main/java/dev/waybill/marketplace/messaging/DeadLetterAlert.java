package dev.waybill.marketplace.messaging;

import dev.waybill.inbox.DeadLetterListener;
import dev.waybill.inbox.DeadLetters;
import dev.waybill.message.DeadLetter;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/** Raises one alert when there are open dead letters, and clears it when there are none. */
final class DeadLetterAlert implements DeadLetterListener, SmartLifecycle {

    static final String WHAT = "dead letters";

    private final Alerts alerts;
    private final ObjectProvider<DeadLetters> letters;
    private boolean raised;
    private volatile boolean running;

    DeadLetterAlert(Alerts alerts, ObjectProvider<DeadLetters> letters) {
        this.alerts = alerts;
        this.letters = letters;
    }

    @Override
    public void saved(DeadLetter letter, @Nullable String eventId, @Nullable String eventType) {
        look();
    }

    @Override
    public void replayed(StoredLetter letter) {
        look();
    }

    /** Looks at once, because an earlier process may have left open letters. */
    @Override
    public void start() {
        running = true;
        look();
    }

    private synchronized void look() {
        DeadLetters stored = letters.getIfAvailable();
        long open = stored == null ? 0 : stored.count(Filter.any().withState(State.OPEN));
        if (open > 0 && !raised) {
            raised = true;
            alerts.raise(WHAT, "open=" + open + " queue=" + Topology.DLQ);
        } else if (open == 0 && raised) {
            raised = false;
            alerts.clear(WHAT);
        }
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
