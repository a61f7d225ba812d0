package dev.waybill.outbox;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import org.jspecify.annotations.Nullable;

/** Finds the destination of events that do not bring one. */
@FunctionalInterface
public interface Router {

    /** The destination, or null when nobody said where this type goes: such an event is DEAD at once. */
    @Nullable Destination route(Event event);
}
