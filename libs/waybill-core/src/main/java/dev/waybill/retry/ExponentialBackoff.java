package dev.waybill.retry;

import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;

/**
 * Doubles the wait with each failure, up to a cap, spread by jitter so that a thousand events that failed together do
 * not come back together.
 *
 * <p>The defaults wait 5, 10, 20, 40 and 80 seconds, each ±20 %: five retries, six sends.
 */
public final class ExponentialBackoff implements RetryPolicy {

    private final Duration base;
    private final Duration cap;
    private final double jitter;
    private final int retries;
    private final DoubleSupplier random;

    /**
     * Any back-off.
     *
     * @param base the first wait
     * @param cap the longest wait, before jitter
     * @param jitter share by which a wait may be shorter or longer, 0 to 1
     * @param retries sends after the first
     * @param random numbers from 0 to 1
     */
    public ExponentialBackoff(Duration base, Duration cap, double jitter, int retries, DoubleSupplier random) {
        if (base.isNegative() || base.isZero() || cap.compareTo(base) < 0) {
            throw new IllegalArgumentException("a back-off needs 0 < base <= cap, was " + base + " and " + cap);
        }
        if (!(jitter >= 0 && jitter <= 1) || retries < 0) {
            throw new IllegalArgumentException("jitter is 0 to 1 and retries at least 0");
        }
        this.base = base;
        this.cap = cap;
        this.jitter = jitter;
        this.retries = retries;
        this.random = random;
    }

    /** The defaults: 5 s doubling, at most an hour, ±20 %, five retries. */
    public static ExponentialBackoff standard() {
        return of(Duration.ofSeconds(5), Duration.ofHours(1), 0.2, 5);
    }

    public static ExponentialBackoff of(Duration base, Duration cap, double jitter, int retries) {
        SplittableRandom random = new SplittableRandom();
        return new ExponentialBackoff(base, cap, jitter, retries, () -> {
            synchronized (random) {
                return random.nextDouble();
            }
        });
    }

    @Override
    public Optional<Duration> delayAfter(int failures) {
        if (failures > retries) {
            return Optional.empty();
        }
        double doubled = (double) base.toMillis() * Math.pow(2, failures - 1.0);
        double capped = Math.min(doubled, (double) cap.toMillis());
        double spread = 1 + jitter * (2 * random.getAsDouble() - 1);
        return Optional.of(Duration.ofMillis(Math.round(capped * spread)));
    }

    @Override
    public int maxSends() {
        return retries + 1;
    }
}
