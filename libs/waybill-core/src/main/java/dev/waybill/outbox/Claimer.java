package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints.Place;
import dev.waybill.store.ClaimLimit;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Settlement;
import dev.waybill.store.UnreadableRow;
import dev.waybill.transport.SendFailure;
import java.time.Duration;
import java.util.List;

/** Takes due rows: the backlog, retries, and what other nodes left behind. */
final class Claimer {

    /** A claim that comes back full asks for twice as many next time, up to so many batches. */
    private static final int GROWTH = 10;

    private static final Duration QUEUE_FULL_PAUSE = Duration.ofMillis(5);
    private static final Duration SHORTEST_POLL = Duration.ofMillis(100);

    private final OutboxStore store;
    private final RelaySettings settings;
    private final InFlightEvents inFlight;
    private final SettlementQueue settlements;
    private final Breakers breakers;
    private final RelayHooks hooks;
    private final Object bell = new Object();
    private int limit;
    private int largest;
    private Duration pause = Duration.ZERO;
    private boolean rung;

    Claimer(
            OutboxStore store,
            RelaySettings settings,
            InFlightEvents inFlight,
            SettlementQueue settlements,
            Breakers breakers,
            RelayHooks hooks) {
        this.store = store;
        this.settings = settings;
        this.inFlight = inFlight;
        this.settlements = settlements;
        this.breakers = breakers;
        this.hooks = hooks;
        this.limit = settings.batch();
    }

    /** Ends the pause: something is due. */
    void wake() {
        synchronized (bell) {
            rung = true;
            bell.notifyAll();
        }
    }

    void step() throws InterruptedException {
        rest();
        if (breakers.brokerIsDown()) {
            pause = SHORTEST_POLL;
            return;
        }
        ByteBudget bytes = inFlight.claimedBytes();
        if (inFlight.claimedWaiting() >= limit || bytes.isTight()) {
            pause = QUEUE_FULL_PAUSE; // one batch waits while one is sent: the sender must never run dry
            return;
        }
        int asked = limit;
        int found = claim(asked);
        if (found > 0 && (bytes.isTight() || bytes.left() < largest)) {
            pause = Duration.ZERO; // the bytes ended this claim, not the backlog
        } else if (found == asked) {
            limit = Math.min(asked * 2, settings.batch() * GROWTH);
            pause = Duration.ZERO;
        } else {
            limit = settings.batch();
            // rows that trickle in from elsewhere are looked for more often than an empty table
            pause = found > 0 ? shorter(settings.pollInterval()) : settings.pollInterval();
        }
    }

    int claim(int atMost) {
        long before = hooks.now();
        long bytes = Math.max(1, inFlight.claimedBytes().left());
        List<ClaimedRow> rows = store.claim(inFlight.lease(), new ClaimLimit(atMost, bytes), breakers.downTopics());
        largest = 0;
        for (ClaimedRow row : rows) {
            if (row instanceof ClaimedEvent event) {
                largest = Math.max(largest, event.event().payload().length());
                inFlight.addClaimed(event, before);
            } else if (row instanceof UnreadableRow unreadable && inFlight.addUnreadable(unreadable)) {
                settlements.add(
                        new Settlement.Dead(unreadable, SendFailure.UNSERIALISABLE + ": " + unreadable.reason()));
            }
        }
        if (!rows.isEmpty()) {
            hooks.reached(Place.CLAIMED);
        }
        return rows.size();
    }

    private void rest() throws InterruptedException {
        synchronized (bell) {
            long end = System.nanoTime() + pause.toNanos();
            for (long left = pause.toMillis(); !rung && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
                bell.wait(left);
            }
            rung = false;
        }
    }

    private static Duration shorter(Duration interval) {
        Duration fifth = interval.dividedBy(5);
        return fifth.compareTo(SHORTEST_POLL) < 0 ? SHORTEST_POLL : fifth;
    }
}
