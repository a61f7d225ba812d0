package dev.waybill.bench;

import java.util.List;

/** A finished run. */
record Run(String command, Machine machine, Results results) {

    List<Expectation> expectations() {
        return Expectations.of(results);
    }
}
