package dev.waybill.bench;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A column of a workload's table: a figure, or its ratio to another contender's.
 *
 * @param of the contender whose figure divides it; null for the figure itself
 */
record ResultColumn(
        String title, String figure, int decimals, @Nullable String of) {

    static ResultColumn of(String title, String figure, int decimals) {
        return new ResultColumn(title, figure, decimals, null);
    }

    static ResultColumn ratio(String title, String figure, String of) {
        return new ResultColumn(title, figure, 2, of);
    }

    String text(double value) {
        return Double.isNaN(value) || Double.isInfinite(value)
                ? "–"
                : String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
