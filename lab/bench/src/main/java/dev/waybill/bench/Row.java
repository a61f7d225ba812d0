package dev.waybill.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A contender's medians in one workload on one ground.
 *
 * @param failure why it is not a result; null for a result
 * @param label what its line begins with, where that is not the contender
 */
record Row(
        String workload,
        Ground ground,
        Entrant entrant,
        Figures medians,
        List<Figures> repeats,
        @Nullable String failure,
        @Nullable String label) {

    Row(
            String workload,
            Ground ground,
            Entrant entrant,
            Figures medians,
            List<Figures> repeats,
            @Nullable String failure) {
        this(workload, ground, entrant, medians, repeats, failure, null);
    }

    boolean isResult() {
        return failure == null;
    }

    double get(String figure) {
        return medians.get(figure);
    }
}
