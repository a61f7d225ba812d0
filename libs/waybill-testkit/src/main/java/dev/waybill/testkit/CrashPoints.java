package dev.waybill.testkit;

import dev.waybill.lifecycle.Checkpoints;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes the process or the thread die at a named place of the main flow, the n-th time it is passed.
 *
 * <p>Give it to {@code Relay.builder().checkpoints(…)} and {@code Outbox.builder().checkpoints(…)}. A child process reads
 * its orders from the system property {@value #PROPERTY}, for example {@code CLAIMED:3:process}.
 */
public final class CrashPoints implements Checkpoints {

    /** Where {@link #fromSystemProperty()} looks: {@code PLACE:n:process} or {@code PLACE:n:thread}. */
    public static final String PROPERTY = "waybill.crash";

    /** Exit status of a process that died here, the same as after SIGKILL. */
    public static final int EXIT_STATUS = 137;

    /** What dies. */
    public enum Death {
        /** The JVM halts: no shutdown hook, no finally block, nothing flushed. */
        PROCESS,
        /** The calling thread gets an {@link Error} that nobody may catch and go on. */
        THREAD
    }

    /** Kills a thread. Not an exception: code under test must not recover from it. */
    public static final class Killed extends Error {

        private static final long serialVersionUID = 1L;

        Killed(Place place) {
            super("killed at " + place);
        }
    }

    private record Order(int nth, Death death) {}

    private final Map<Place, AtomicInteger> passed = new EnumMap<>(Place.class);
    private final Map<Place, Order> orders = new EnumMap<>(Place.class);

    public CrashPoints() {
        for (Place place : Place.values()) {
            passed.put(place, new AtomicInteger());
        }
    }

    /** Orders from the system property; none when it is not set. */
    public static CrashPoints fromSystemProperty() {
        CrashPoints points = new CrashPoints();
        String text = System.getProperty(PROPERTY, "");
        if (!text.isEmpty()) {
            String[] words = text.split(":", -1);
            if (words.length != 3) {
                throw new IllegalArgumentException(PROPERTY + " is PLACE:n:process or PLACE:n:thread, was " + text);
            }
            points.dieAt(
                    Place.valueOf(words[0]),
                    Integer.parseInt(words[1]),
                    Death.valueOf(words[2].toUpperCase(java.util.Locale.ROOT)));
        }
        return points;
    }

    /** Dies when the place is passed for the n-th time, counted from 1. */
    public synchronized CrashPoints dieAt(Place place, int nth, Death death) {
        orders.put(place, new Order(nth, death));
        return this;
    }

    /** How often a place was passed. */
    public int passed(Place place) {
        return count(place).get();
    }

    @Override
    public void reached(Place place) {
        int times = count(place).incrementAndGet();
        Order order;
        synchronized (this) {
            order = orders.get(place);
        }
        if (order == null || order.nth() != times) {
            return;
        }
        System.err.println("[CrashPoints] " + order.death() + " dies at " + place + " #" + times);
        System.err.flush();
        if (order.death() == Death.PROCESS) {
            Runtime.getRuntime().halt(EXIT_STATUS);
        }
        throw new Killed(place);
    }

    private AtomicInteger count(Place place) {
        AtomicInteger count = passed.get(place);
        if (count == null) {
            throw new IllegalStateException("every place is counted, " + place + " too");
        }
        return count;
    }
}
