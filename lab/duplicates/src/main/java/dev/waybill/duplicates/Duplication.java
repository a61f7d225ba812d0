package dev.waybill.duplicates;

import java.util.List;
import java.util.stream.Collectors;

/** The same run of tokens in at least two places. */
record Duplication(int tokens, List<Place> places) {

    int lines() {
        return places.stream().mapToInt(Place::lines).max().orElse(0);
    }

    boolean betweenModules() {
        return places.stream().map(Place::module).distinct().count() > 1;
    }

    @Override
    public String toString() {
        return places.stream()
                .map(Place::toString)
                .collect(Collectors.joining("\n      ", tokens + " tokens, " + lines() + " lines: ", ""));
    }
}
