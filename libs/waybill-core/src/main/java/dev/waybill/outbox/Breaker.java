package dev.waybill.outbox;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * One destination that takes no messages, from its first failure to the end of the outage. First it is open: nothing is
 * sent, and probes ask. When a probe says yes it is on trial: a topic gets one message, and if that is confirmed a few
 * more. Guarded by {@link Breakers}.
 */
final class Breaker {

    /** What the end of an outage takes. */
    enum Proof {
        /** The destination was gone: one confirmed message proves that it is back. */
        ONE_CONFIRM,
        /** It is there and refuses, perhaps because it is full: one place that became free proves little. */
        MANY_CONFIRMS
    }

    private static final Duration FIRST_PROBE = Duration.ofMillis(200);
    private static final Duration LAST_PROBE = Duration.ofSeconds(2);

    /** A trial takes 1 message, then 8, then 64; each step ends when all of them are answered. */
    private static final int TRIAL_GROWTH = 8;

    private static final int LAST_TRIAL_STEP = 64;

    /** A trial in which nothing failed for so long is over: there was nothing more to send. */
    private static final Duration QUIET_TRIAL = Duration.ofSeconds(5);

    private final Proof proof;
    private final Set<String> unanswered = new HashSet<>();
    private boolean onTrial;
    private boolean tookSome;
    private int allowed;
    private int confirmed;
    private int refused;
    private boolean over;
    private long trialBegan;
    private long nextProbe;
    private Duration pause = FIRST_PROBE;

    Breaker(Proof proof, long now) {
        this.proof = proof;
        this.nextProbe = now + FIRST_PROBE.toNanos();
    }

    boolean isOpen() {
        return !onTrial;
    }

    boolean isDueForProbe(long now) {
        return !onTrial && now - nextProbe >= 0;
    }

    void probed(boolean worthATry, long now) {
        if (onTrial) {
            return;
        }
        if (!worthATry) {
            rest(now);
            return;
        }
        onTrial = true;
        tookSome = false;
        trialBegan = now;
        unanswered.clear();
        allow(1);
    }

    /** Whether the trial may go on with one more message. */
    boolean hasRoom() {
        return onTrial && unanswered.size() + confirmed + refused < allowed;
    }

    boolean admit(String row) {
        return hasRoom() && unanswered.add(row);
    }

    /** Whether the message is one of the trial's, without an answer yet. */
    boolean isTrying(String row) {
        return onTrial && unanswered.contains(row);
    }

    /** Whether the trial has shown that the destination takes messages again. */
    boolean isOver() {
        return over;
    }

    /** A late answer to a send from before the trial proves nothing. */
    void confirmed(String row, long now) {
        if (!onTrial || !unanswered.remove(row)) {
            return;
        }
        trialBegan = now;
        tookSome = true;
        confirmed++;
        over |= proof == Proof.ONE_CONFIRM;
        endStep();
    }

    /**
     * A message of the trial was not taken. When that is most of what a step may send, nothing more is sent until another
     * probe. A few do not count: a topic that always refuses some would otherwise never be back.
     *
     * @return whether the event is to blame. A trial that took others blames the one that ends it, so that events which are
     *     always refused come to an end, while a full queue with a slow reader costs the others nothing.
     */
    boolean refused(String row, long now) {
        if (!onTrial || !unanswered.remove(row)) {
            return false;
        }
        refused++;
        if (2 * refused > allowed) {
            reopen(now);
            return tookSome;
        }
        endStep();
        return false;
    }

    private void endStep() {
        if (confirmed + refused >= allowed) {
            over |= allowed >= LAST_TRIAL_STEP;
            allow(allowed * TRIAL_GROWTH);
        }
    }

    private void allow(int messages) {
        allowed = messages;
        confirmed = 0;
        refused = 0;
    }

    /** A message of the trial ended in a way that says nothing about the destination. */
    void answeredOtherwise(String row) {
        unanswered.remove(row);
    }

    void reopen(long now) {
        if (onTrial) {
            onTrial = false;
            rest(now);
        }
    }

    boolean isQuietTrial(long now) {
        return onTrial && unanswered.isEmpty() && now - trialBegan >= QUIET_TRIAL.toNanos();
    }

    private void rest(long now) {
        nextProbe = now + pause.toNanos();
        Duration longer = pause.multipliedBy(2);
        pause = longer.compareTo(LAST_PROBE) > 0 ? LAST_PROBE : longer;
    }
}
