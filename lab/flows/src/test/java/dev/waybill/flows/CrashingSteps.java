package dev.waybill.flows;

import dev.waybill.testkit.CrashPoints;
import java.util.concurrent.atomic.AtomicInteger;

/** Halts the process the n-th time that a service reaches one of its own places, as a system property says. */
final class CrashingSteps {

    /** {@code PLACE:n} */
    static final String PROPERTY = "flows.step";

    static final String HALTED = "[CrashingSteps] process halts at ";

    private final String place;
    private final int nth;
    private final AtomicInteger reached = new AtomicInteger();

    private CrashingSteps(String place, int nth) {
        this.place = place;
        this.nth = nth;
    }

    static CrashingSteps fromSystemProperty() {
        String[] words = System.getProperty(PROPERTY, "none:1").split(":", -1);
        return new CrashingSteps(words[0], Integer.parseInt(words[1]));
    }

    void reached(Enum<?> step) {
        if (step.name().equals(place) && reached.incrementAndGet() == nth) {
            System.err.println(HALTED + place + " #" + nth);
            System.err.flush();
            Runtime.getRuntime().halt(CrashPoints.EXIT_STATUS);
        }
    }
}
