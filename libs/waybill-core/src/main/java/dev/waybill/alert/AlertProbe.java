package dev.waybill.alert;

import java.util.List;

/** Reads figures for the rules, on the monitor's thread. One that throws is logged, and nothing is cleared on its account. */
@FunctionalInterface
public interface AlertProbe {

    List<Reading> read();
}
