package dev.waybill.marketplace.messaging;

import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** Declares the topology on a broker; may be called any number of times. */
@FunctionalInterface
interface TopologyDeclarer {

    /**
     * Declares what is missing.
     *
     * @throws IOException when the broker cannot be reached; worth another try
     * @throws dev.waybill.starter.StartUpException when an object of the broker cannot be used and a person has to change it
     */
    void declare(Topology topology) throws IOException, TimeoutException;
}
