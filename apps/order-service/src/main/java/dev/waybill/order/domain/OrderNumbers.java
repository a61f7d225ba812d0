package dev.waybill.order.domain;

import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** Makes order numbers: ORD, the second in UTC, seven digits. */
@FunctionalInterface
public interface OrderNumbers {

    Pattern SHAPE = Pattern.compile("ORD[0-9]{21}");

    /** A number, probably unused; the table's unique key decides. */
    String next();

    /**
     * Counts on from a random start: one process never makes a number twice within a second, and two processes meet only
     * where their stretches of the ten million overlap in the same second.
     */
    static OrderNumbers counting(Clock clock, RandomGenerator random) {
        int perSecond = 10_000_000;
        AtomicLong counter = new AtomicLong(random.nextInt(perSecond));
        DateTimeFormatter second = DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT);
        return () -> "ORD"
                + second.format(LocalDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
                + "%07d".formatted(counter.getAndIncrement() % perSecond);
    }
}
