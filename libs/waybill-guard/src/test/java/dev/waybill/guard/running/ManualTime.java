package dev.waybill.guard.running;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** Time that moves when the test says so. */
public final class ManualTime implements InstantSource {

    private final AtomicLong millis = new AtomicLong(1_705_289_445_000L);

    public void advance(Duration by) {
        millis.addAndGet(by.toMillis());
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis.get());
    }

    @Override
    public long millis() {
        return millis.get();
    }
}
