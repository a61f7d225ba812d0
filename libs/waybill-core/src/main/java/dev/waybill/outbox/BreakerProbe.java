package dev.waybill.outbox;

import dev.waybill.transport.SendTarget;
import dev.waybill.transport.Transport;
import java.time.Duration;

/** Asks those that are down whether sending is worth a try again. */
final class BreakerProbe {

    private static final Duration ROUND = Duration.ofMillis(100);

    private final Transport transport;
    private final Breakers breakers;
    private final SendWindow window;
    private final Claimer claimer;
    private final RelayHooks hooks;

    BreakerProbe(Transport transport, Breakers breakers, SendWindow window, Claimer claimer, RelayHooks hooks) {
        this.transport = transport;
        this.breakers = breakers;
        this.window = window;
        this.claimer = claimer;
        this.hooks = hooks;
    }

    void step() throws InterruptedException {
        Thread.sleep(ROUND.toMillis());
        probeDue();
    }

    /** Asks those whose turn it is; never waits for anybody's turn. */
    void probeDue() {
        for (SendTarget target : breakers.dueForProbe(hooks.now())) {
            boolean worthATry = transport.probe(target);
            breakers.probed(target, worthATry, hooks.now());
            if (worthATry && target.equals(SendTarget.WHOLE_BROKER)) {
                window.restart(); // one topic's trial is small by itself, and must not slow the others down
            }
        }
        breakers.endQuietTrials(hooks.now(), window.inFlight() == 0);
        if (breakers.trialHasRoom()) {
            claimer.wake();
        }
    }
}
