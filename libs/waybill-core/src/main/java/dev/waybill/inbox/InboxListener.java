package dev.waybill.inbox;

import dev.waybill.message.Event;
import dev.waybill.transport.Delivery;
import java.time.Duration;

/** Hears what an inbox does: for metrics, alerts and tests. Be quick; what it throws is logged and otherwise ignored. */
public interface InboxListener {

    /** An event was handled and committed. */
    default void consumed(Event event, String group, Duration cost) {}

    /** A handler had nothing to do. */
    default void ignored(Event event, String group, String reason) {}

    /** A repeat was recognised and acknowledged. */
    default void repeated(Event event, String group) {}

    /** An event of a type that others handle was acknowledged. */
    default void passedOver(Event event, String group) {}

    /** A delivery failed and will come again, or become a dead letter after its last one. */
    default void failed(Event event, String group, int attempt, String error) {}

    /** A delivery became a dead letter at once; it may not even be an event. */
    default void deadLettered(Delivery delivery, String error) {}

    /** Handling stopped until this dependency answers again. Once per outage. */
    default void paused(String dependency) {}

    default void resumed(String dependency) {}
}
