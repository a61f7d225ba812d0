package dev.waybill.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One repeat's figures by name, or the medians of several repeats. */
record Figures(Map<String, Double> byName) {

    static Figures of(Object... namesAndValues) {
        Map<String, Double> byName = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            byName.put((String) namesAndValues[i], ((Number) namesAndValues[i + 1]).doubleValue());
        }
        return new Figures(byName);
    }

    static Figures medians(List<Figures> repeats) {
        Map<String, Double> medians = new LinkedHashMap<>();
        for (String name : repeats.get(0).byName.keySet()) {
            double[] values = repeats.stream()
                    .mapToDouble(repeat -> repeat.get(name))
                    .sorted()
                    .toArray();
            medians.put(name, (values[(values.length - 1) / 2] + values[values.length / 2]) / 2);
        }
        return new Figures(medians);
    }

    double get(String name) {
        return byName.getOrDefault(name, Double.NaN);
    }

    /** A share of sorted or unsorted nanoseconds, in milliseconds. */
    static double milliseconds(long[] nanos, double share) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted.length == 0 ? Double.NaN : sorted[(int) (share * (sorted.length - 1))] / 1e6;
    }
}
