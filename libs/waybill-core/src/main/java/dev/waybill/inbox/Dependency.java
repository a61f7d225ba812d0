package dev.waybill.inbox;

/**
 * Something the handlers cannot work without. While it does not answer, failures are not the events' fault: the
 * subscription pauses and no delivery is spent.
 */
public interface Dependency {

    String name();

    /** Bounded in time; an exception counts as no. */
    boolean answers();
}
