package dev.waybill.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until the test moves it. Safe for many threads. */
public final class ManualClock extends Clock {

    private final AtomicReference<Instant> now;
    private final ZoneId zone;

    private ManualClock(AtomicReference<Instant> now, ZoneId zone) {
        this.now = now;
        this.zone = zone;
    }

    /** A clock in UTC that shows this moment. */
    public static ManualClock at(Instant start) {
        return new ManualClock(new AtomicReference<>(start), ZoneOffset.UTC);
    }

    /** A clock in UTC that shows this moment, such as {@code 2026-01-01T00:00:00Z}. */
    public static ManualClock at(String start) {
        return at(Instant.parse(start));
    }

    /** Moves on, or back when negative. */
    public void advance(Duration by) {
        now.updateAndGet(before -> before.plus(by));
    }

    public void set(Instant to) {
        now.set(to);
    }

    @Override
    public Instant instant() {
        return Objects.requireNonNull(now.get());
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    /** The same clock in another zone: moving one moves both. */
    @Override
    public Clock withZone(ZoneId other) {
        return new ManualClock(now, other);
    }
}
