package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints.Place;
import dev.waybill.message.Event;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Lease;
import dev.waybill.store.Settlement;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes committed events over from the transactions of this process, as long as the relay runs and has room. */
final class RelayHandoff implements Handoff {

    private final InFlightEvents inFlight;
    private final SendQueue queue;
    private final CommitCheck commitCheck;
    private final SettlementQueue settlements;
    private final Breakers breakers;
    private final Claimer claimer;
    private final RelayHooks hooks;
    private volatile boolean open;

    RelayHandoff(
            InFlightEvents inFlight,
            SendQueue queue,
            CommitCheck commitCheck,
            SettlementQueue settlements,
            Breakers breakers,
            Claimer claimer,
            RelayHooks hooks) {
        this.inFlight = inFlight;
        this.queue = queue;
        this.commitCheck = commitCheck;
        this.settlements = settlements;
        this.breakers = breakers;
        this.claimer = claimer;
        this.hooks = hooks;
    }

    /** Whether commits may hand off; before the start and after the stop began, rows are appended as due. */
    void open(boolean open) {
        this.open = open;
    }

    @Override
    public @Nullable Lease reserve(List<Event> events) {
        if (!open || breakers.brokerIsDown() || !queue.reserve(events.size())) {
            return null;
        }
        if (!inFlight.handedOffBytes().reserve(events)) {
            queue.cancel(events.size());
            return null;
        }
        return inFlight.lease();
    }

    @Override
    public void cancel(List<Event> events) {
        queue.cancel(events.size());
        inFlight.handedOffBytes().release(events);
    }

    @Override
    public void accept(List<ClaimedEvent> events, long appendedAt) {
        long half = inFlight.lease().duration().toNanos() / 2;
        boolean late = !open || hooks.now() - appendedAt > half;
        // all of them first: of an event that was lost and appended again, the check must know which is the last
        events.forEach(event -> inFlight.addHandedOff(event, hooks.now(), appendedAt));
        for (ClaimedEvent event : events) {
            if (late) {
                settlements.add(new Settlement.Released(event, Duration.ZERO));
                queue.cancel(1); // after it: a stop waits for one of both
            } else {
                commitCheck.add(event);
            }
        }
        hooks.reached(Place.HANDED_OFF);
    }

    @Override
    public void wake() {
        claimer.wake();
    }

    @Override
    public long now() {
        return hooks.now();
    }
}
