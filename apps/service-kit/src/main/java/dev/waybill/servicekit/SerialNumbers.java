package dev.waybill.servicekit;

import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Makes numbers for people to read: a prefix, the second in UTC, some digits. The digits count on from a random start: one
 * process never makes a number twice within a second, unless it makes more than the digits can count, and two processes meet
 * only where their stretches overlap in the same second. The table's unique key decides then: who loses draws another.
 */
public class SerialNumbers {

    private static final DateTimeFormatter SECOND = DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT);

    private final String prefix;
    private final String digitsFormat;
    private final int perSecond;
    private final Clock clock;
    private final AtomicLong counter;

    public SerialNumbers(String prefix, int digits, Clock clock) {
        this(prefix, digits, clock, new SecureRandom());
    }

    SerialNumbers(String prefix, int digits, Clock clock, RandomGenerator random) {
        this.prefix = prefix;
        this.digitsFormat = "%0" + digits + "d";
        this.perSecond = BigInteger.TEN.pow(digits).intValueExact();
        this.clock = clock;
        this.counter = new AtomicLong(random.nextInt(perSecond));
    }

    public String next() {
        return prefix
                + SECOND.format(LocalDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
                + digitsFormat.formatted(counter.getAndIncrement() % perSecond);
    }
}
