package dev.waybill.guard.boot;

/**
 * A bucket's size: {@code rate} tokens come back each second, {@code capacity} is the most it holds.
 *
 * <p>The bounds keep every sum exact enough in the doubles of Java and Lua.
 */
record TokenBucket(double rate, long capacity) {

    static final double SLOWEST = 1e-5;
    static final double FASTEST = 1e7;
    static final long LARGEST = 100_000_000;

    TokenBucket {
        if (!(rate >= SLOWEST && rate <= FASTEST)) {
            throw new IllegalArgumentException("rate must be between 0.00001 and 10000000 tokens a second: " + rate);
        }
        if (capacity < 1 || capacity > LARGEST) {
            throw new IllegalArgumentException("capacity must be between 1 and 100000000 tokens: " + capacity);
        }
    }

    /** How long an untouched bucket is remembered: twice the time it takes to fill, and a second. It is full by then. */
    long timeToLiveMillis() {
        return ((long) Math.ceil(capacity / rate * 2) + 1) * 1000;
    }

    /** How long until {@code missing} tokens have come back. */
    long millisFor(double missing) {
        return (long) Math.ceil(Math.max(0, missing) * 1000 / rate);
    }
}
