package dev.waybill.order.domain;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Makes order numbers: ORD, the second in UTC, seven digits. They count on from a random start: one process never makes a
 * number twice within a second, and two processes meet only where their stretches of the ten million overlap in the same
 * second. The table's unique key decides then.
 */
@Component
class OrderNumbers {

    private static final int PER_SECOND = 10_000_000;
    private static final DateTimeFormatter SECOND = DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT);

    private final Clock clock;
    private final AtomicLong counter;

    @Autowired
    OrderNumbers(Clock clock) {
        this(clock, new SecureRandom());
    }

    OrderNumbers(Clock clock, RandomGenerator random) {
        this.clock = clock;
        this.counter = new AtomicLong(random.nextInt(PER_SECOND));
    }

    String next() {
        return "ORD"
                + SECOND.format(LocalDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
                + "%07d".formatted(counter.getAndIncrement() % PER_SECOND);
    }
}
