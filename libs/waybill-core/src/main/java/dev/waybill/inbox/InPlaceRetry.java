package dev.waybill.inbox;

import dev.waybill.store.InboxStore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Tells an event's own failures from its surroundings', which cost it no delivery. One per delivery. */
final class InPlaceRetry {

    /** Deadlocks and lost connections in a row while the database answers: more of them are the handler's doing. */
    private static final int MISHAPS = 10;

    private static final long COME_BACK_MILLIS = 100;

    private final InboxStore store;
    private final PauseGate gate;
    private int mishaps;

    InPlaceRetry(InboxStore store, PauseGate gate) {
        this.store = store;
        this.gate = gate;
    }

    /** Another process is at the same event; its transaction ends sooner or later. */
    void comeBackLater() throws InterruptedException {
        gate.pause(COME_BACK_MILLIS);
    }

    /**
     * Whether to try again at once; returns after the trouble is over.
     *
     * @throws InterruptedException when the subscription is being stopped: the delivery comes back, unspent
     */
    boolean notTheEventsFault(Throwable failure) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("stopped while handling");
        }
        if (gate.await()) {
            mishaps = 0;
            return true;
        }
        // A deadlock; or the database was back before it was asked, as after a quick restart.
        if (!(store.isTransient(failure) || gate.caused(failure)) || ++mishaps > MISHAPS) {
            return false;
        }
        TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(5L << Math.min(mishaps, 5)));
        return true;
    }
}
