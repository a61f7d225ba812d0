package dev.waybill.bench;

import dev.waybill.message.Destination;
import dev.waybill.servers.ServerHandle;
import dev.waybill.transport.Transport;

/** One broker to measure on: its raw confirmed rate, and where a backlog is drained to. */
interface Broker extends AutoCloseable {

    ServerHandle server();

    Destination destination();

    Transport transport();

    /** Sends so many messages like the sample in the client's fastest confirmed mode; returns messages per second. */
    double raw(int messages, Sample sample);

    /** Fails unless exactly so many messages have arrived since the last call, where the broker can tell. */
    void arrived(int expected);

    @Override
    void close();
}
