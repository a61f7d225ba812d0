package dev.waybill.testkit;

import dev.waybill.message.Destination;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What {@link TransportContract} needs from one kind of broker. Made fresh for every test, closed after it. */
public interface TransportFixture extends AutoCloseable {

    /** What not every broker can do. The contract asserts the alternative where one is missing. */
    enum Capability {
        /** Tells the sender when no queue takes a message. A broker without it keeps such a message for later readers. */
        RETURNS_UNROUTABLE
    }

    /**
     * A message as a reader of the broker sees it.
     *
     * @param eventId the id under which the broker carries it
     * @param eventType the event's type beside the body
     * @param tag tag or routing key
     * @param headers header names and values, as texts
     * @param body the bytes
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by content where it matters
    record Arrived(String eventId, String eventType, String tag, Map<String, String> headers, byte[] body) {}

    Set<Capability> capabilities();

    /** A transport that is not started. The contract closes it. */
    Transport transport(Duration sendTimeout);

    /** A destination that nobody used before, ready to take messages. */
    default Destination freshDestination() {
        Destination fresh = unknownDestination();
        create(fresh);
        return fresh;
    }

    /** A destination whose topic does not exist. */
    Destination unknownDestination();

    /** Makes an unknown destination ready to take messages. */
    void create(Destination unknown);

    /** A destination that the broker can never have. */
    Destination illegalDestination();

    /** The largest body in bytes that the transport is set to take. */
    int sizeLimit();

    /** Waits until so many messages have arrived at a destination, or a while; returns all that are there, in any order. */
    List<Arrived> arrived(Destination destination, int expected);

    /** Removes the binding from the destination's topic to its readers. Only with RETURNS_UNROUTABLE. */
    void unbind(Destination destination);

    void bind(Destination destination);

    /** Kills the broker's process. What it confirmed must survive. */
    void kill();

    /** Starts the broker again and returns when it answers. */
    void revive();

    /** Stops the broker's process from running: connections stay open, and nothing answers. */
    void pause();

    void resume();

    /** Removes what must not outlive the test; nothing by default. */
    @Override
    default void close() {}
}
