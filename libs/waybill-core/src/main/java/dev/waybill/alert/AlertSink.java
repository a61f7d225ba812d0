package dev.waybill.alert;

/**
 * Passes a notice on to people. Called on a thread of its own, one notice after the other. What it throws is logged, and that
 * notice is not repeated.
 */
public interface AlertSink {

    /** In log lines. */
    String name();

    void tell(AlertNotice notice);
}
