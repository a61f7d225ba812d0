package dev.waybill.order.domain;

/**
 * The named points at which a crash, or another transaction that comes first, must be harmless. Production ignores them; tests
 * kill the process or change the order there.
 */
@FunctionalInterface
public interface OrderCheckpoints {

    OrderCheckpoints NONE = (place, orderNo) -> {};

    void reached(Place place, String orderNo);

    /** Where the service is. */
    enum Place {
        /** Order, items, history and event are written; the transaction has not committed. */
        CREATE_WRITTEN,
        /** The transaction that created the order has committed; the caller has no answer yet. */
        CREATE_COMMITTED,
        /** The order was read and may be canceled; nothing is written yet. */
        CANCEL_READ,
        /** The order's cancel and its event are written; the transaction has not committed. */
        CANCEL_WRITTEN,
        /** The cancel has committed; the caller has no answer yet. */
        CANCEL_COMMITTED,
        /** A stock event found an order whose status it may change; nothing is written yet. */
        STOCK_READ,
        /** The new status is written; the transaction has not committed. */
        STOCK_WRITTEN
    }
}
