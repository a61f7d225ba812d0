package dev.waybill.outbox;

import dev.waybill.transport.SendFailure;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which destinations take messages. A broken connection or the broker's alarm stops everything, a topic that is not
 * served or only times out stops that topic; nothing that waits is spent on it. A probe lets sends begin again, and the
 * first confirmed one ends the outage.
 */
final class Breakers {

    /** The whole broker, in place of a topic. */
    static final String BROKER = "";

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
    private final Map<String, Breaker> breakers = new HashMap<>();
    private final Map<String, Integer> timeouts = new HashMap<>();

    /** Read on every send: empty means that nothing is down or being tried. */
    private volatile boolean quiet = true;

    Breakers(RelayListener listener) {
        this.listener = listener;
    }

    boolean isOpen(String topic) {
        return !quiet && (has(BROKER, State.OPEN) || has(topic, State.OPEN));
    }

    boolean brokerIsDown() {
        return !quiet && has(BROKER, State.OPEN);
    }

    /** Topics to leave alone. */
    synchronized Set<String> down() {
        if (quiet) {
            return Set.of();
        }
        Set<String> down = new TreeSet<>();
        breakers.forEach((topic, breaker) -> {
            if (breaker.state == State.OPEN) {
                down.add(topic);
            }
        });
        return down;
    }

    void confirmed(String topic) {
        if (quiet) {
            return;
        }
        boolean brokerBack;
        boolean topicBack;
        synchronized (this) {
            timeouts.remove(topic);
            brokerBack = end(BROKER);
            topicBack = end(topic);
            quiet = breakers.isEmpty() && timeouts.isEmpty();
        }
        if (brokerBack) {
            listener.destinationUp(BROKER);
        }
        if (topicBack) {
            listener.destinationUp(topic);
        }
    }

    void failed(String topic, SendFailure failure, String detail, long now) {
        String stopped = scopeOf(topic, failure);
        if (stopped != null && open(stopped, now)) {
            listener.destinationDown(stopped, failure, detail);
        }
    }

    /** Those whose next probe is due. */
    synchronized Set<String> dueForProbe(long now) {
        Set<String> due = new TreeSet<>();
        breakers.forEach((topic, breaker) -> {
            if (breaker.state == State.OPEN && now - breaker.nextProbe >= 0) {
                due.add(topic);
            }
        });
        return due;
    }

    synchronized void probed(String topic, boolean worthATry, long now) {
        Breaker breaker = breakers.get(topic);
        if (breaker == null) {
            return;
        }
        if (worthATry) {
            breaker.state = State.TRYING;
        } else {
            rest(breaker, now);
        }
    }

    private synchronized boolean has(String topic, State state) {
        Breaker breaker = breakers.get(topic);
        return breaker != null && breaker.state == state;
    }

    private synchronized @org.jspecify.annotations.Nullable String scopeOf(String topic, SendFailure failure) {
        if (failure == SendFailure.TIMED_OUT) {
            quiet = false;
            return timeouts.merge(topic, 1, Integer::sum) >= TIMEOUTS_IN_A_ROW ? topic : null;
        }
        return switch (failure.scope()) {
            case BROKER -> BROKER;
            case TOPIC -> topic;
            case MESSAGE -> null;
        };
    }

    /** Whether this is the beginning of an outage, and not one more failure in it. */
    private synchronized boolean open(String topic, long now) {
        Breaker breaker = breakers.get(topic);
        if (breaker == null) {
            breaker = new Breaker();
            breaker.nextProbe = now + FIRST_PROBE.toNanos();
            breakers.put(topic, breaker);
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

    private boolean end(String topic) {
        Breaker breaker = breakers.get(topic);
        if (breaker == null || breaker.state == State.OPEN) {
            return false; // a late answer to a send from before the outage proves nothing
        }
        breakers.remove(topic);
        return true;
    }
}
