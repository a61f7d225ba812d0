package dev.waybill.marketplace.messaging;

/** Where a person is called. Logs by default; a bean of this type takes its place. */
@FunctionalInterface
public interface Alerts {

    /** Something needs a person: raised once, until it is over. */
    void raise(String what, String detail);

    /** It is over. */
    default void clear(String what) {}
}
