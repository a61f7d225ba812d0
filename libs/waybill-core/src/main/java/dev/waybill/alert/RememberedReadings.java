package dev.waybill.alert;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Readings that carry bodies with them, and so are not taken at every look: anew when their number changes, or when they are old. */
final class RememberedReadings {

    private static final Duration OLD = Duration.ofSeconds(30);

    private final LongSupplier ticker;
    private List<Reading> readings = List.of();
    private long number;
    private long takenAt;

    RememberedReadings(LongSupplier ticker) {
        this.ticker = ticker;
    }

    /** @param count how many there are now, as far as that is known cheaply; none are not read */
    List<Reading> of(long count, Supplier<List<Reading>> take) {
        long now = ticker.getAsLong();
        if (count == 0) {
            readings = List.of();
        } else if (readings.isEmpty() || count != number || now - takenAt > OLD.toNanos()) {
            readings = take.get();
            takenAt = now;
        }
        number = count;
        return readings;
    }
}
