package dev.waybill.bench;

import java.util.List;
import java.util.Locale;

/**
 * What the command line asks for.
 *
 * @param only lower-case texts; a part of the run takes place when each occurs in its workload, environment or contender
 */
record Options(
        boolean quick,
        int events,
        int repeats,
        double seconds,
        List<String> only,
        int scale,
        boolean peers,
        boolean sweep,
        boolean page) {

    Options {
        only = only.stream().map(text -> text.toLowerCase(Locale.ROOT)).toList();
    }

    /** Whether this name takes part: of the texts of --only that occur in any of the names, one occurs in it, or there are none. */
    boolean wants(String name, List<String> all) {
        List<String> mine = only.stream()
                .filter(text -> all.stream().anyMatch(one -> has(one, text)))
                .toList();
        return mine.isEmpty() || mine.stream().anyMatch(text -> has(name, text));
    }

    private static boolean has(String name, String text) {
        return name.toLowerCase(Locale.ROOT).contains(text);
    }
}
