package dev.waybill.guard.boot;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once when a guard's store goes down, and once when it is back; every fallback in between is counted.
 *
 * <p>A store that comes and goes all the time is told of every {@link #QUIET} at most.
 */
final class StoreAvailability {

    static final Duration QUIET = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(StoreAvailability.class);

    private static final class Outage {
        private final long since;
        private final AtomicLong fallbacks = new AtomicLong();
        private volatile boolean told;

        Outage(long since) {
            this.since = since;
        }
    }

    private final String guard;
    private final GuardMeter meter;
    private final LongSupplier nanoTime;
    private final AtomicReference<@Nullable Outage> outage = new AtomicReference<>();
    private final AtomicLong nextWarning;

    StoreAvailability(String guard, GuardMeter meter) {
        this(guard, meter, System::nanoTime);
    }

    StoreAvailability(String guard, GuardMeter meter, LongSupplier nanoTime) {
        this.guard = guard;
        this.meter = meter;
        this.nanoTime = nanoTime;
        this.nextWarning = new AtomicLong(nanoTime.getAsLong());
    }

    /** A store call failed, and the request goes on as {@code then} says. */
    void down(StoreUnavailableException down, String subject, String then) {
        meter.count(GuardMetric.STORE_FALLBACKS, guard, down.reason().name().toLowerCase(Locale.ROOT));
        Outage fresh = new Outage(nanoTime.getAsLong());
        Outage before = outage.compareAndExchange(null, fresh);
        Outage now = before == null ? fresh : before;
        now.fallbacks.incrementAndGet();
        if (!now.told && mayWarn()) {
            now.told = true;
            log.warn("[Guard] store down guard={} reason={} first={} then={}", guard, down.reason(), subject, then);
        }
    }

    /** A store call was answered. */
    void up() {
        Outage over = outage.get();
        if (over != null && outage.compareAndSet(over, null) && over.told) {
            log.info(
                    "[Guard] store back guard={} afterMillis={} fallbacks={}",
                    guard,
                    Duration.ofNanos(nanoTime.getAsLong() - over.since).toMillis(),
                    over.fallbacks);
        }
    }

    private boolean mayWarn() {
        long due = nextWarning.get();
        long now = nanoTime.getAsLong();
        return now - due >= 0 && nextWarning.compareAndSet(due, now + QUIET.toNanos());
    }
}
