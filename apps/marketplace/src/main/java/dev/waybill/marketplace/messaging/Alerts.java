package dev.waybill.marketplace.messaging;

/** Raises alerts that need a person. Logs by default; a bean of this type is used instead. */
@FunctionalInterface
public interface Alerts {

    /** Raises an alert. The caller raises each one once until it is cleared. */
    void raise(String what, String detail);

    /** The cause of the alert is gone. */
    default void clear(String what) {}
}
