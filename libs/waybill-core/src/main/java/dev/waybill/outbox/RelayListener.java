package dev.waybill.outbox;

import dev.waybill.message.Event;
import dev.waybill.store.UnreadableRow;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendTarget;
import java.time.Duration;

/**
 * Hears what a relay does: for metrics, alerts and tests. Called on the relay's own threads, so be quick; what it throws
 * is logged and otherwise ignored.
 */
public interface RelayListener {

    /** The broker confirmed an event and its row says so. The latency runs from the relay's taking it. */
    default void sent(Event event, Duration latency) {}

    /**
     * The same event once more, with how old it was by its own time when the broker confirmed it: what a consumer waited for.
     * The clocks of the publisher and of this process are compared; a publisher's clock that is ahead makes zero.
     */
    default void confirmed(Event event, Duration age) {}

    /** A send failed; another follows after the delay. */
    default void retried(Event event, int attempts, Duration delay, String error) {}

    /** An event was given up: a person has to look. Once each time that an event becomes DEAD. */
    default void dead(Event event, int attempts, String error) {}

    /** A row that cannot be read was given up: a person has to look. */
    default void unreadable(UnreadableRow row, String error) {}

    /** Sends to a topic, or to the whole broker, stopped. Once per outage. */
    default void destinationDown(SendTarget target, SendFailure failure, String detail) {}

    /** The outage is over: something was confirmed again. Once per outage. */
    default void destinationUp(SendTarget target) {}

    /** Rows whose lease this relay lost before it settled them: others may have sent them too. */
    default void leaseLost(int rows) {}

    /** An error ended the relay's threads; leases return what it held, and after a pause it begins anew by itself. */
    default void failed(Error error) {}

    /** The relay works again after an error. */
    default void restarted() {}
}
