package dev.waybill.marketplace.domain;

import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Makes order numbers: the second in UTC, four digits. */
@FunctionalInterface
public interface OrderNumbers {

    /** A number that is probably unused; the table's unique key decides, and a transaction that loses draws another. */
    String next();

    /**
     * Counts on from a random start: one process never makes a number twice within a second unless it takes more than ten
     * thousand orders in it.
     */
    static OrderNumbers counting(Clock clock, RandomGenerator random) {
        int perSecond = 10_000;
        AtomicLong counter = new AtomicLong(random.nextInt(perSecond));
        DateTimeFormatter second = DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT);
        return () -> second.format(LocalDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
                + "%04d".formatted(counter.getAndIncrement() % perSecond);
    }
}
