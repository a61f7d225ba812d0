package dev.waybill.marketplace.messaging;

/** The four events. */
final class EventTypes {

    static final String ORDER_CREATED = "ORDER_CREATED";
    static final String ORDER_PAID = "ORDER_PAID";
    static final String ORDER_STATUS_CHANGED = "ORDER_STATUS_CHANGED";
    static final String ORDER_TIMEOUT = "ORDER_TIMEOUT";

    /** What all of them happen to. */
    static final String AGGREGATE = "Order";

    private EventTypes() {}
}
