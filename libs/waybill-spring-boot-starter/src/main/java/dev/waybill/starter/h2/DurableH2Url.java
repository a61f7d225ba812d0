package dev.waybill.starter.h2;

import java.util.List;
import java.util.Locale;

/**
 * An H2 address whose commits survive the end of the process.
 *
 * <p>By default H2 writes a commit up to half a second after it was answered, so a killed process loses it. WRITE_DELAY=0 writes
 * before the answer; concurrent commits share a write. It also makes the committing thread write, and an interrupt of that
 * thread would close the whole database: the file system {@code async:} does not mind interrupts. Without the background writer
 * nothing is overwritten for 45 s, which costs about 25 kB for each commit: RETENTION_TIME makes that 5 s.
 */
final class DurableH2Url {

    private static final String H2 = "jdbc:h2:";
    private static final String FILE = "file:";
    private static final String ASYNC = "async:";
    private static final List<String> NO_FILE = List.of("mem:", "tcp:", "ssl:", "zip:", "nio:", "niomapped:", "split:");

    private DurableH2Url() {}

    /** The address itself where it is not H2's, not a file's, or says WRITE_DELAY. */
    static String of(String url) {
        if (!url.regionMatches(true, 0, H2, 0, H2.length())) {
            return url;
        }
        int end = url.indexOf(';');
        String name = url.substring(H2.length(), end < 0 ? url.length() : end);
        String settings = end < 0 ? "" : url.substring(end);
        if (NO_FILE.stream().anyMatch(name.toLowerCase(Locale.ROOT)::startsWith) || says(settings, "WRITE_DELAY")) {
            return url;
        }
        return H2 + ASYNC + path(name) + settings + ";WRITE_DELAY=0"
                + (says(settings, "RETENTION_TIME") ? "" : ";RETENTION_TIME=5000");
    }

    private static String path(String name) {
        for (String scheme : List.of(FILE, ASYNC)) {
            if (name.regionMatches(true, 0, scheme, 0, scheme.length())) {
                return name.substring(scheme.length());
            }
        }
        return name;
    }

    private static boolean says(String settings, String name) {
        return settings.toUpperCase(Locale.ROOT).contains(";" + name + "=");
    }
}
