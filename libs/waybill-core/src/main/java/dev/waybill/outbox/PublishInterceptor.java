package dev.waybill.outbox;

import dev.waybill.message.Event;
import java.util.List;
import java.util.function.Supplier;

/**
 * Runs around each call that publishes, on the caller's thread and inside the caller's transaction: for tracing. What it puts
 * into the logging context under {@link dev.waybill.message.TraceParent#HEADER} becomes the trace of the events that bring none
 * of their own.
 */
@FunctionalInterface
public interface PublishInterceptor {

    /** Nothing around it. */
    PublishInterceptor NONE = (events, publishing) -> publishing.get();

    /**
     * Publishes and returns what that returned. It calls {@code publishing} exactly once and lets its exceptions pass.
     *
     * @param events as the caller gave them, not empty; {@code publishing} writes exactly these
     */
    List<String> publish(List<Event> events, Supplier<List<String>> publishing);
}
