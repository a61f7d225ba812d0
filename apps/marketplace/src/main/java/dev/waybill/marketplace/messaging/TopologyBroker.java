package dev.waybill.marketplace.messaging;

import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** A broker on which a topology can be declared, any number of times. */
@FunctionalInterface
interface TopologyBroker {

    /**
     * Declares what is missing.
     *
     * @throws IOException when the broker cannot be reached; worth another try
     * @throws dev.waybill.starter.StartUpException when what is there already cannot work; nothing helps but a person
     */
    void declare(Topology topology) throws IOException, TimeoutException;
}
