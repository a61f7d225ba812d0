package dev.waybill.alert;

import java.util.List;
import java.util.Set;

/**
 * Reads figures for the rules, on the monitor's thread: one that may wait for its source is a
 * {@linkplain AlertMonitor.Builder#slowProbe slow one}. One that throws is logged, and nothing is cleared on its account.
 */
@FunctionalInterface
public interface AlertProbe {

    List<Reading> read();

    /** What it measures; while it fails, no alert about these is cleared. Empty means that it does not say, and then none is. */
    default Set<String> measures() {
        return Set.of();
    }
}
