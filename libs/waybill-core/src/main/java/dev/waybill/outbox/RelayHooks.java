package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.lifecycle.Checkpoints.Place;
import java.util.function.LongSupplier;

/**
 * What a test may take hold of in a running relay.
 *
 * @param ticker the monotonic clock by which leases are counted on this side, in nanoseconds
 * @param checkpoints told at each place of the flow where a crash must be harmless
 */
record RelayHooks(LongSupplier ticker, Checkpoints checkpoints) {

    long now() {
        return ticker.getAsLong();
    }

    void reached(Place place) {
        checkpoints.reached(place);
    }
}
