package dev.waybill.starter.retention;

/** Hears what is deleted because it is old: for metrics. Be quick. */
public interface SweepListener {

    /** Such rows will be swept from now on. */
    default void scheduled(String rows) {}

    /** A chunk of such rows is gone. */
    default void swept(String rows, int deleted) {}

    /** A sweep of such rows ended with an error and comes again. */
    default void failed(String rows) {}
}
