package dev.waybill.starter.observability;

import dev.waybill.message.LogText;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last look at a table or a broker. Gauges show it without looking themselves, so that a scrape costs the database nothing.
 * What could not be read, or is older than the next look should be, is NaN: an old figure would be taken for a present one.
 */
final class BackgroundReading<T> {

    private static final Logger log = LoggerFactory.getLogger(BackgroundReading.class);

    private record Reading<T>(T value, long validUntil) {}

    private final String source;
    private final Supplier<T> look;
    private final MeterRegistry registry;
    private final LongSupplier ticker;
    private volatile @Nullable Reading<T> reading;
    private boolean failing;

    /** @param source what is looked at, for the log and as a tag */
    BackgroundReading(String source, Supplier<T> look, MeterRegistry registry, LongSupplier ticker) {
        this.source = source;
        this.look = look;
        this.registry = registry;
        this.ticker = ticker;
        WaybillMeter.METRICS_REFRESH.timer(registry, source, "read");
        WaybillMeter.METRICS_REFRESH.timer(registry, source, "failed");
    }

    /** What the last look saw of this, or NaN. */
    double show(ToDoubleFunction<T> value) {
        Reading<T> last = reading;
        return last == null || ticker.getAsLong() - last.validUntil > 0 ? Double.NaN : value.applyAsDouble(last.value);
    }

    /**
     * Looks now.
     *
     * @param interval the pause until the next look, if this one does not take long
     * @return what it cost; a look that failed mostly waited, and the next one should not be as late as after an expensive one
     */
    Duration read(Duration interval) {
        long begun = ticker.getAsLong();
        try {
            T value = look.get();
            Duration took = Duration.ofNanos(ticker.getAsLong() - begun);
            // the next look may take as long again and be late by an interval before this one counts as old
            Duration valid =
                    MetricsRefresh.pauseAfter(took, interval).plus(interval).plus(took.multipliedBy(2));
            reading = new Reading<>(value, ticker.getAsLong() + valid.toNanos());
            WaybillMeter.METRICS_REFRESH.timer(registry, source, "read").record(took);
            if (failing) {
                log.info("[Metrics] {} can be read again", source);
            }
            failing = false;
            return took;
        } catch (RuntimeException e) {
            Duration took = Duration.ofNanos(ticker.getAsLong() - begun);
            reading = null;
            WaybillMeter.METRICS_REFRESH.timer(registry, source, "failed").record(took);
            if (!failing) {
                log.warn("[Metrics] {} cannot be read; its gauges are NaN until it can", source, LogText.thrown(e));
            }
            failing = true;
            return took.dividedBy(MetricsRefresh.SHARE);
        }
    }

    /** Nobody looks any more. */
    void forget() {
        reading = null;
    }
}
