package dev.waybill.bench;

import java.util.Locale;

/**
 * Something the project wants to hold, and what this run says. Nothing is asserted: rates belong to a machine.
 *
 * @param bound the least value, or the largest
 */
record Expectation(String text, double value, double bound, boolean atLeast) {

    boolean holds() {
        return atLeast ? value >= bound : value <= bound;
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "| %s | %s %.2f | %.2f | %s |%n",
                text,
                atLeast ? "≥" : "≤",
                bound,
                value,
                holds() ? "yes" : "**no**");
    }
}
