package dev.waybill.outbox;

import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendTarget;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which destinations take messages. A broken connection or the broker's alarm stops everything, a topic that is not
 * served or only times out stops that topic; nothing that waits is spent on it. A probe lets sends begin again, and the
 * first confirmed one ends the outage.
 */
final class Breakers {

    private static final int TIMEOUTS_IN_A_ROW = 8;
    private static final Duration FIRST_PROBE = Duration.ofMillis(200);
    private static final Duration LAST_PROBE = Duration.ofSeconds(2);

    private enum State {
        /** No sends; probes decide. */
        OPEN,
        /** Sends go out again; the outage ends with the first that is confirmed. */
        TRYING
    }

    private static final class Breaker {
        State state = State.OPEN;
        long nextProbe;
        Duration pause = FIRST_PROBE;
    }

    private final RelayListener listener;
    private final Map<SendTarget, Breaker> breakers = new HashMap<>();
    private final Map<String, Integer> timeouts = new HashMap<>();

    /** Read on every send: empty means that nothing is down or being tried. */
    private volatile boolean quiet = true;

    Breakers(RelayListener listener) {
        this.listener = listener;
    }

    boolean isOpen(String topic) {
        return !quiet && (isOpen(SendTarget.WHOLE_BROKER) || isOpen(SendTarget.topic(topic)));
    }

    boolean brokerIsDown() {
        return !quiet && isOpen(SendTarget.WHOLE_BROKER);
    }

    /** What takes no messages now. */
    synchronized Set<SendTarget> down() {
        if (quiet) {
            return Set.of();
        }
        Set<SendTarget> down = new HashSet<>();
        breakers.forEach((target, breaker) -> {
            if (breaker.state == State.OPEN) {
                down.add(target);
            }
        });
        return down;
    }

    /** Topics whose rows a claim leaves alone. */
    Set<String> downTopics() {
        return down().stream()
                .filter(SendTarget.Topic.class::isInstance)
                .map(SendTarget::label)
                .collect(Collectors.toSet());
    }

    void confirmed(String topic) {
        if (quiet) {
            return;
        }
        boolean brokerBack;
        boolean topicBack;
        synchronized (this) {
            timeouts.remove(topic);
            brokerBack = end(SendTarget.WHOLE_BROKER);
            topicBack = end(SendTarget.topic(topic));
            quiet = breakers.isEmpty() && timeouts.isEmpty();
        }
        if (brokerBack) {
            listener.destinationUp(SendTarget.WHOLE_BROKER);
        }
        if (topicBack) {
            listener.destinationUp(SendTarget.topic(topic));
        }
    }

    void failed(String topic, SendFailure failure, String detail, long now) {
        SendTarget stopped = stoppedBy(topic, failure);
        if (stopped != null && open(stopped, now)) {
            listener.destinationDown(stopped, failure, detail);
        }
    }

    /** Those whose next probe is due. */
    synchronized Set<SendTarget> dueForProbe(long now) {
        Set<SendTarget> due = new HashSet<>();
        breakers.forEach((target, breaker) -> {
            if (breaker.state == State.OPEN && now - breaker.nextProbe >= 0) {
                due.add(target);
            }
        });
        return due;
    }

    synchronized void probed(SendTarget target, boolean worthATry, long now) {
        Breaker breaker = breakers.get(target);
        if (breaker == null) {
            return;
        }
        if (worthATry) {
            breaker.state = State.TRYING;
        } else {
            rest(breaker, now);
        }
    }

    private synchronized boolean isOpen(SendTarget target) {
        Breaker breaker = breakers.get(target);
        return breaker != null && breaker.state == State.OPEN;
    }

    private synchronized @Nullable SendTarget stoppedBy(String topic, SendFailure failure) {
        if (failure == SendFailure.TIMED_OUT) {
            quiet = false;
            return timeouts.merge(topic, 1, Integer::sum) >= TIMEOUTS_IN_A_ROW ? SendTarget.topic(topic) : null;
        }
        return switch (failure.scope()) {
            case BROKER -> SendTarget.WHOLE_BROKER;
            case TOPIC -> SendTarget.topic(topic);
            case MESSAGE -> null;
        };
    }

    /** Whether this is the beginning of an outage, and not one more failure in it. */
    private synchronized boolean open(SendTarget target, long now) {
        Breaker breaker = breakers.get(target);
        if (breaker == null) {
            breaker = new Breaker();
            breaker.nextProbe = now + FIRST_PROBE.toNanos();
            breakers.put(target, breaker);
            quiet = false;
            return true;
        }
        if (breaker.state == State.TRYING) {
            breaker.state = State.OPEN;
            rest(breaker, now);
        }
        return false;
    }

    private static void rest(Breaker breaker, long now) {
        breaker.nextProbe = now + breaker.pause.toNanos();
        Duration longer = breaker.pause.multipliedBy(2);
        breaker.pause = longer.compareTo(LAST_PROBE) > 0 ? LAST_PROBE : longer;
    }

    private boolean end(SendTarget target) {
        Breaker breaker = breakers.get(target);
        if (breaker == null || breaker.state == State.OPEN) {
            return false; // a late answer to a send from before the outage proves nothing
        }
        breakers.remove(target);
        return true;
    }
}
