package dev.waybill.order.domain;

/** The places at which a crash or a quicker neighbour must be harmless. Production ignores them; tests act there. */
@FunctionalInterface
public interface Steps {

    Steps NONE = (place, orderNo) -> {};

    void reached(Place place, String orderNo);

    /** Where the service is. */
    enum Place {
        /** Order, items, history and event are written; nothing has committed. */
        CREATE_WRITTEN,
        /** The order has committed; the caller does not know. */
        CREATE_COMMITTED,
        /** The order was read and may be canceled; nothing is written. */
        CANCEL_READ,
        /** The order is canceled, its event written; nothing has committed. */
        CANCEL_WRITTEN,
        /** The cancel has committed; the caller does not know. */
        CANCEL_COMMITTED,
        /** A stock event found an order that it may move; nothing is written. */
        STOCK_READ,
        /** The order is moved; nothing has committed. */
        STOCK_WRITTEN
    }
}
