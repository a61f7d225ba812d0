package dev.waybill.marketplace.messaging;

import dev.waybill.inbox.DeadLetters;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.State;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Raises one alert when there are open dead letters, and clears it when there are none. Every process looks into the table by
 * itself: what another one collected, replayed or discarded counts like its own.
 */
@Component
class DeadLetterAlert {

    static final String WHAT = "dead letters";

    private final Alerts alerts;
    private final ObjectProvider<DeadLetters> letters;
    private boolean raised;

    DeadLetterAlert(Alerts alerts, ObjectProvider<DeadLetters> letters) {
        this.alerts = alerts;
        this.letters = letters;
    }

    /** Costs one row of an index while nothing changes; letters are counted only when the alert is raised. One thread's. */
    @Scheduled(fixedDelay = 5, timeUnit = TimeUnit.SECONDS)
    void look() {
        DeadLetters stored = letters.getIfAvailable();
        if (stored == null) {
            return; // nothing is consumed here
        }
        Filter open = Filter.any().withState(State.OPEN);
        boolean any = !stored.list(open, 1, 0).isEmpty();
        if (any && !raised) {
            raised = true;
            alerts.raise(WHAT, "open=" + stored.count(open) + " queue=" + Topology.DLQ);
        } else if (!any && raised) {
            raised = false;
            alerts.clear(WHAT);
        }
    }
}
