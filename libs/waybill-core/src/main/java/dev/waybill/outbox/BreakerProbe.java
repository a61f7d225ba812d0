package dev.waybill.outbox;

import dev.waybill.transport.SendTarget;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.Set;

/** Asks those that are down whether sending is worth a try again. */
final class BreakerProbe {

    private static final Duration ROUND = Duration.ofMillis(100);

    private final Transport transport;
    private final Breakers breakers;
    private final SendWindow window;
    private final Claimer claimer;
    private final RelayHooks hooks;

    /** At the last look, so that an outage's end is seen, whoever ended it. */
    private volatile Set<SendTarget> downOrOnTrial = Set.of();

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
        boolean someAreBack = someAreBack();
        if (someAreBack) {
            window.recovered();
        }
        if (someAreBack || breakers.trialHasRoom()) {
            claimer.wake();
        }
    }

    /** The last claim of a trial found little, so the claimer rests while the whole backlog is due. */
    private boolean someAreBack() {
        Set<SendTarget> before = downOrOnTrial;
        downOrOnTrial = breakers.downOrOnTrial();
        return !downOrOnTrial.containsAll(before);
    }
}
