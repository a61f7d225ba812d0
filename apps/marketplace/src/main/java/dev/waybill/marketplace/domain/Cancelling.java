package dev.waybill.marketplace.domain;

import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What every cancel does after it has won the order: the product is for sale again, the buyer's credit is computed anew. */
public final class Cancelling {

    static final String BY_USER = "user";

    private static final Logger log = LoggerFactory.getLogger(Cancelling.class);

    private final Shelf shelf;
    private final CreditBook credits;

    public Cancelling(Shelf shelf, CreditBook credits) {
        this.shelf = shelf;
        this.credits = credits;
    }

    /** In the transaction that cancelled the order. No event tells of it, so the projection is brought up to date here. */
    void release(Order order, Instant now) {
        if (!shelf.move(order.productId(), ProductStatus.SOLD, ProductStatus.ON_SALE, now)) {
            log.error(
                    "[Orders] product was not sold when its order was cancelled orderId={} productId={}",
                    order.id(),
                    order.productId());
        }
        shelf.project(order.productId(), now);
        credits.recompute(order.buyerId(), now);
    }
}
