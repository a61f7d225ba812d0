package dev.waybill.inbox;

import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;

/**
 * Handles one event inside the inbox's transaction. What it writes to the same database commits together with the
 * consume log, or not at all. An exception counts as {@link HandlerResult.Retry}; a
 * {@link dev.waybill.message.MalformedEventException} as {@link HandlerResult.Reject}.
 */
@FunctionalInterface
public interface EventHandler {

    HandlerResult handle(Event event);
}
