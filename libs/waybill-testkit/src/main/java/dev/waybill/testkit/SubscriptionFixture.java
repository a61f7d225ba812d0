package dev.waybill.testkit;

import dev.waybill.message.Destination;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.List;

/** What {@link SubscriptionContract} needs from one kind of broker. Made fresh for every test, closed after it. */
public interface SubscriptionFixture extends AutoCloseable {

    /** Something to subscribe to, and the destination whose messages arrive there. */
    record Route(SubscriptionSpec spec, Destination destination) {}

    /** Fresh subscriptions, as in another process. The contract closes them. */
    Subscriptions subscriptions();

    /** A transport that is not started. The contract closes it. */
    Transport transport();

    /** A source and a group that nobody used before, ready to take messages, with the shortest delay as the only one. */
    Route freshRoute();

    /** Another group or queue, which also gets everything that is sent to the route's destination. */
    SubscriptionSpec anotherGroup(Route route);

    /** Two delays that the broker can keep exactly, the second longer than the first, both as short as possible. */
    List<Duration> growingDelays();

    /** Kills the broker's process. What it confirmed must survive. */
    void kill();

    /** Starts the broker again and returns when it answers. */
    void revive();

    @Override
    void close();
}
