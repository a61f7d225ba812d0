package dev.waybill.marketplace.domain;

import java.util.Optional;

/** Stores fulfilments, one for an order. Writes belong to the caller's transaction. */
public interface FulfillmentRepository {

    void insert(Fulfillment fulfillment);

    Optional<Fulfillment> find(long orderId);
}
