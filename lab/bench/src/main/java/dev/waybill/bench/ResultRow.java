package dev.waybill.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A contender's medians in one workload in one environment.
 *
 * @param failure why it is not a result; null for a result
 * @param label what its line begins with, where that is not the contender
 */
record ResultRow(
        String workload,
        Environment environment,
        ContenderSettings contender,
        Figures medians,
        List<Figures> repeats,
        @Nullable String failure,
        @Nullable String label) {

    ResultRow(
            String workload,
            Environment environment,
            ContenderSettings contender,
            Figures medians,
            List<Figures> repeats,
            @Nullable String failure) {
        this(workload, environment, contender, medians, repeats, failure, null);
    }

    boolean isResult() {
        return failure == null;
    }

    double get(String figure) {
        return medians.get(figure);
    }
}
