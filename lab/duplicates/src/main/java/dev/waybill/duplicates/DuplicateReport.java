package dev.waybill.duplicates;

import java.util.List;
import java.util.stream.Collectors;

/** What CPD finds in one repository, in both scopes. */
record DuplicateReport(List<Duplication> main, List<Duplication> everything) {

    static DuplicateReport of(DuplicateFinder finder) {
        return new DuplicateReport(finder.find(Scope.MAIN), finder.find(Scope.EVERYTHING));
    }

    /** Code that two modules should share but have typed twice. */
    List<Duplication> longBetweenModules() {
        return main.stream()
                .filter(one -> one.betweenModules() && one.lines() >= DuplicateLimits.LONG_LINES)
                .toList();
    }

    /** The largest few as text, each with all of its places. */
    static String list(List<Duplication> duplications, int most) {
        return duplications.stream().limit(most).map(one -> "  " + one).collect(Collectors.joining("\n"));
    }
}
