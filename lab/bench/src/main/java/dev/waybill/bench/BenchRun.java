package dev.waybill.bench;

import java.util.List;

/**
 * A finished run.
 *
 * @param quick it asked for correctness only: its counts are too small to say anything about rates
 */
record BenchRun(String command, Machine machine, Results results, boolean quick) {

    List<Expectation> expectations() {
        return quick ? List.of() : Expectations.of(results);
    }
}
