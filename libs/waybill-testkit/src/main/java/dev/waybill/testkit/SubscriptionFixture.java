package dev.waybill.testkit;

import dev.waybill.message.Destination;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.List;

/** What {@link SubscriptionContract} needs from one kind of broker. Made fresh for every test, closed after it. */
public interface SubscriptionFixture extends AutoCloseable {

    /** What can be received, and where to send so that it is. */
    record Line(SubscriptionSpec spec, Destination destination) {}

    /** Fresh subscriptions, as in another process. The contract closes them. */
    Subscriptions subscriptions();

    /** A transport that is not started. The contract closes it. */
    Transport transport();

    /** A source and a group that nobody used before, ready to take messages, with the shortest delay as its only one. */
    Line freshLine();

    /** Another group or queue, which gets everything that is sent to the line's destination too. */
    SubscriptionSpec beside(Line line);

    /** Two delays that the broker can keep exactly, the second longer than the first, both as short as possible. */
    List<Duration> growingDelays();

    /** The broker dies without a word. What it confirmed must survive. */
    void kill();

    /** Starts the broker again and returns when it answers. */
    void revive();

    @Override
    void close();
}
