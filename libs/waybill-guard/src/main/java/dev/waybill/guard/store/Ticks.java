package dev.waybill.guard.store;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/** Epoch milliseconds that never run backwards: read from the wall clock once, then carried on by the monotonic clock. */
public final class Ticks {

    private Ticks() {}

    /** For in-process stores, which have no server to ask for the time. */
    public static InstantSource monotonic() {
        long startMillis = System.currentTimeMillis();
        long startNanos = System.nanoTime();
        return () -> java.time.Instant.ofEpochMilli(
                startMillis + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos));
    }
}
