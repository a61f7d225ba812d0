package dev.waybill.faults;

import java.time.Instant;
import java.util.List;

/** Times that two processes of one machine can compare, and what is made of many. */
final class Clocks {

    private Clocks() {}

    static long epochMicros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }

    static long percentile(List<Long> values, double share) {
        List<Long> sorted = values.stream().sorted().toList();
        return sorted.get((int) Math.min(sorted.size() - 1, Math.round(share * (sorted.size() - 1))));
    }
}
