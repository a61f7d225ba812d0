package dev.waybill.inbox;

import dev.waybill.message.Event;

/**
 * Handles one event inside the inbox's transaction. What it writes to the same database commits together with the
 * consume log, or not at all. An exception counts as {@link Handled.Retry}; a
 * {@link dev.waybill.message.MalformedEventException} as {@link Handled.Reject}.
 */
@FunctionalInterface
public interface EventHandler {

    Handled handle(Event event);
}
