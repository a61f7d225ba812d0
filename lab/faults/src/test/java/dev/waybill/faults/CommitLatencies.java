package dev.waybill.faults;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The times from just before COMMIT to the arrival, in microseconds, of the events that a {@link PacedProducer} told of. */
record CommitLatencies(List<Long> micros) {

    /** @param warmUp how many events at the beginning do not count */
    static CommitLatencies of(List<String> producersLines, Arrivals arrivals, int warmUp) {
        Map<String, Long> arrived = arrivals.firstMicros();
        return new CommitLatencies(producersLines.stream()
                .filter(line -> line.startsWith("COMMITTING "))
                .skip(warmUp)
                .map(line -> line.split(" ", -1))
                .map(words -> arrived.get(words[1]) - Long.parseLong(words[2]))
                .toList());
    }

    long median() {
        return Clocks.percentile(micros, 0.5);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d events: p50=%.2f ms p90=%.2f ms p99=%.2f ms",
                micros.size(),
                millis(0.5),
                millis(0.9),
                millis(0.99));
    }

    private double millis(double share) {
        return Clocks.percentile(micros, share) / 1000.0;
    }
}
