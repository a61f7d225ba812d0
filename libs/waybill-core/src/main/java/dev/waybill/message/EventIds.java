package dev.waybill.message;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Makes event ids: UUID version 7, text form. Ids of one maker sort by the time they were made, also within one
 * millisecond and when the clock steps back. Safe for use by many threads.
 */
public final class EventIds {

    private static final EventIds SYSTEM = new EventIds(Clock.systemUTC(), new SecureRandom());

    /** Steps within one millisecond: the 12 bits that version 7 leaves between time and randomness. */
    private static final int STEPS = 1 << 12;

    private final Clock clock;
    private final RandomGenerator random;
    private long lastMillis = -1;
    private int step;

    public EventIds(Clock clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    /** A new id from the system clock. */
    public static String next() {
        return SYSTEM.make();
    }

    /** A new id, greater as text than every id that this maker made before. */
    public String make() {
        long low = (randomBits() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
        return new UUID(nextHigh(), low).toString();
    }

    /** In one go: a SecureRandom draws a long in two, each behind its lock. */
    private long randomBits() {
        byte[] drawn = new byte[Long.BYTES];
        random.nextBytes(drawn);
        long bits = 0;
        for (byte eight : drawn) {
            bits = bits << 8 | (eight & 0xff);
        }
        return bits;
    }

    private synchronized long nextHigh() {
        long now = clock.millis();
        if (now > lastMillis) {
            lastMillis = now;
            step = random.nextInt(STEPS / 2); // the upper half stays free for ids of the same millisecond
        } else if (++step == STEPS) {
            lastMillis++; // borrowed from the next millisecond: order matters more than exactness
            step = 0;
        }
        return (lastMillis << 16) | 0x7000L | step;
    }
}
