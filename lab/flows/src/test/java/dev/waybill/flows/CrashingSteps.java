package dev.waybill.flows;

import dev.waybill.testkit.CrashPoints;
import java.util.concurrent.atomic.AtomicInteger;

/** Halts the process the n-th time that a service passes one of its own places, as a system property says. */
final class DeadlySteps {

    /** {@code PLACE:n} */
    static final String PROPERTY = "flows.step";

    private final String place;
    private final int nth;
    private final AtomicInteger passed = new AtomicInteger();

    private DeadlySteps(String place, int nth) {
        this.place = place;
        this.nth = nth;
    }

    static DeadlySteps fromSystemProperty() {
        String[] words = System.getProperty(PROPERTY, "none:1").split(":", -1);
        return new DeadlySteps(words[0], Integer.parseInt(words[1]));
    }

    void reached(Enum<?> step) {
        if (step.name().equals(place) && passed.incrementAndGet() == nth) {
            System.err.println("[DeadlySteps] PROCESS dies at " + place + " #" + nth);
            System.err.flush();
            Runtime.getRuntime().halt(CrashPoints.EXIT_STATUS);
        }
    }
}
