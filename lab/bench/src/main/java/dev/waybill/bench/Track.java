package dev.waybill.bench;

import dev.waybill.servers.CpuMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One database and one broker, measured in turns: the broker alone, and a backlog drained into it. */
final class Track {

    private static final int BYTES = 1024;

    private final String name;
    private final Backlog backlog;
    private final Broker broker;
    private final CpuMeter meter;
    private final Sample sample = Sample.of(BYTES);
    private final List<Double> raw = new ArrayList<>();
    private final List<Double> drain = new ArrayList<>();
    private final List<CpuMeter.Reading> rawCost = new ArrayList<>();
    private final List<CpuMeter.Reading> drainCost = new ArrayList<>();

    Track(String name, Backlog backlog, Broker broker, CpuMeter meter) {
        this.name = name;
        this.backlog = backlog;
        this.broker = broker;
        this.meter = meter;
    }

    /** The table's row: medians of the rounds, which are interleaved. */
    String measure(int events, int rounds) {
        for (int round = 0; round <= rounds; round++) {
            System.err.println("bench: " + name + (round == 0 ? ": warming up" : ": round " + round + " of " + rounds));
            raw(events);
            drain(events);
            if (round == 0) {
                List.of(raw, drain, rawCost, drainCost).forEach(List::clear);
            }
        }
        double alone = median(raw);
        double relayed = median(drain);
        CpuMeter.Reading aloneCost = middle(rawCost);
        CpuMeter.Reading relayedCost = middle(drainCost);
        return String.format(
                Locale.ROOT,
                "| %s | %.0f | %.0f | %.2f | %s | %s | %.2f |",
                name,
                alone,
                relayed,
                relayed / alone,
                aloneCost.perThousand(events),
                relayedCost.perThousand(events),
                aloneCost.sum() / relayedCost.sum());
    }

    private void raw(int events) {
        CpuMeter.Reading before = meter.read();
        raw.add(broker.raw(events, sample));
        rawCost.add(meter.read().minus(before));
        broker.arrived(events);
    }

    private void drain(int events) {
        backlog.fill(events, sample);
        CpuMeter.Reading before = meter.read();
        drain.add(backlog.drain(events, broker));
        drainCost.add(meter.read().minus(before));
        broker.arrived(events);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    /** The median by the sum: what a server does in its own time falls into one round or another. */
    private static CpuMeter.Reading middle(List<CpuMeter.Reading> readings) {
        List<CpuMeter.Reading> sorted = readings.stream()
                .sorted((one, other) -> Double.compare(one.sum(), other.sum()))
                .toList();
        return sorted.get(sorted.size() / 2);
    }
}
