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

    /** A destination that nobody used before, ready to take messages. */
    Destination freshDestination();

    /** A group or queue that nobody used before, which gets everything that is sent to this destination from now on. */
    SubscriptionSpec freshSubscription(Destination destination);

    /** A new destination and a subscription to it, with the shortest delay as the only one. */
    default Route freshRoute() {
        Destination destination = freshDestination();
        return new Route(withShortestDelay(freshSubscription(destination)), destination);
    }

    /** Another group or queue, which also gets everything that is sent to the route's destination. */
    default SubscriptionSpec anotherGroup(Route route) {
        return withShortestDelay(freshSubscription(route.destination()));
    }

    private SubscriptionSpec withShortestDelay(SubscriptionSpec spec) {
        return spec.withRetryDelays(growingDelays().subList(0, 1));
    }

    /** Two delays that the broker can keep exactly, the second longer than the first, both as short as possible. */
    List<Duration> growingDelays();

    /** Kills the broker's process. What it confirmed must survive. */
    void kill();

    /** Starts the broker again and returns when it answers. */
    void revive();

    /** Removes what must not outlive the test; nothing by default. */
    @Override
    default void close() {}
}
