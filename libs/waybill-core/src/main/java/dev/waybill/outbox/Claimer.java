package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Lease;
import java.time.Duration;
import java.util.List;

/** Takes due rows: the backlog, retries, and what other nodes left behind. */
final class Claimer {

    private static final int GROWTH = 10;
    private static final Duration BLINK = Duration.ofMillis(5);
    private static final Duration MOMENT = Duration.ofMillis(100);

    private final RelayParts parts;
    private final Lease lease;
    private final HandoffQueue intake;
    private final Breakers breakers;
    private final Object bell = new Object();
    private int limit;
    private Duration pause = Duration.ZERO;
    private boolean rung;

    Claimer(RelayParts parts, Lease lease, HandoffQueue intake, Breakers breakers) {
        this.parts = parts;
        this.lease = lease;
        this.intake = intake;
        this.breakers = breakers;
        this.limit = parts.settings().batch();
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
            pause = MOMENT;
            return;
        }
        if (intake.claimedWaiting() >= limit) {
            pause = BLINK; // one batch waits while one is sent: the sender must never run dry
            return;
        }
        int asked = limit;
        int found = claim(asked);
        if (found == asked) {
            limit = Math.min(asked * 2, parts.settings().batch() * GROWTH);
            pause = Duration.ZERO;
        } else {
            limit = parts.settings().batch();
            // rows that trickle in from elsewhere are looked for more often than an empty table
            pause = found > 0
                    ? shorter(parts.settings().pollInterval())
                    : parts.settings().pollInterval();
        }
    }

    int claim(int atMost) {
        long before = parts.ticker().getAsLong();
        List<ClaimedEvent> claimedEvents = parts.store().claim(lease, atMost, breakers.down());
        if (!claimedEvents.isEmpty()) {
            intake.claimed(claimedEvents, before);
            parts.checkpoints().reached(Checkpoints.Place.CLAIMED);
        }
        return claimedEvents.size();
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
        return fifth.compareTo(MOMENT) < 0 ? MOMENT : fifth;
    }
}
