package dev.waybill.message;

import org.jspecify.annotations.Nullable;

/**
 * The event that is being handled on this thread: what is published meanwhile was caused by it, and says so in the
 * header {@value #HEADER}.
 */
public final class Causation {

    /** Header that names the causing event's id. */
    public static final String HEADER = "causationId";

    private static final ThreadLocal<@Nullable String> CURRENT = new ThreadLocal<>();

    private Causation() {}

    /** The id of the event being handled, or null outside a handler. */
    public static @Nullable String current() {
        return CURRENT.get();
    }

    /** Runs while this event is the cause of what happens on this thread. */
    public static void during(String eventId, Runnable work) {
        String before = CURRENT.get();
        CURRENT.set(eventId);
        try {
            work.run();
        } finally {
            if (before == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(before);
            }
        }
    }
}
