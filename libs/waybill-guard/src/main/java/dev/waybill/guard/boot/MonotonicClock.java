package dev.waybill.guard.boot;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/** Epoch milliseconds that never run backwards: read from the wall clock once, then carried on by the monotonic clock. */
final class MonotonicClock {

    private MonotonicClock() {}

    /** For in-process stores, which have no server to ask for the time. */
    static InstantSource start() {
        long startMillis = System.currentTimeMillis();
        long startNanos = System.nanoTime();
        return () -> java.time.Instant.ofEpochMilli(
                startMillis + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos));
    }
}
