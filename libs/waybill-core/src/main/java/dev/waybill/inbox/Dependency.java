package dev.waybill.inbox;

/**
 * Something the handlers cannot work without. While it does not answer, failures are not the events' fault: the
 * subscription pauses and no delivery is spent.
 */
public interface Dependency {

    String name();

    /** Bounded in time; an exception counts as no. */
    boolean answers();

    /**
     * Whether a handler's failure is a passing trouble of this dependency (a time-out, a refused write) although it answers:
     * then the event is tried again at once, a few times, before a delivery is spent. No by default; an exception counts as no.
     */
    default boolean caused(Throwable failure) {
        return false;
    }
}
