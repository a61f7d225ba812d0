package dev.waybill.marketplace.domain;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/**
 * Makes order numbers: the second in UTC, four digits. They count on from a random start, so that one process never makes a
 * number twice within a second unless it takes more than ten thousand orders in it.
 */
@Component
class OrderNumbers {

    private static final int PER_SECOND = 10_000;
    private static final DateTimeFormatter SECOND = DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT);

    private final Clock clock;
    private final AtomicLong counter = new AtomicLong(new SecureRandom().nextInt(PER_SECOND));

    OrderNumbers(Clock clock) {
        this.clock = clock;
    }

    /** A number that is probably unused; the table's unique key decides, and a transaction that loses draws another. */
    String next() {
        return SECOND.format(LocalDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
                + "%04d".formatted(counter.getAndIncrement() % PER_SECOND);
    }
}
