package dev.waybill.marketplace.domain;

/** The four events. */
public final class EventTypes {

    public static final String ORDER_CREATED = "ORDER_CREATED";
    public static final String ORDER_PAID = "ORDER_PAID";
    public static final String ORDER_STATUS_CHANGED = "ORDER_STATUS_CHANGED";
    public static final String ORDER_TIMEOUT = "ORDER_TIMEOUT";

    /** What all of them happen to. */
    public static final String AGGREGATE = "Order";

    private EventTypes() {}
}
