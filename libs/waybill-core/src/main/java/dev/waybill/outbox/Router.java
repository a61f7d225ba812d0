package dev.waybill.outbox;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import org.jspecify.annotations.Nullable;

/** Finds the destination of events that do not bring one. */
@FunctionalInterface
public interface Router {

    /**
     * The destination, or null when nobody said where this type goes: then it is not published, and one that another version
     * published is DEAD at once.
     */
    @Nullable Destination route(Event event);

    /** What somebody has to do so that events of this type have a destination, for the message of the refusal. */
    default String missingRoute(String eventType) {
        return "give the event a destination, or add " + eventType + " to the routes of the outbox";
    }
}
