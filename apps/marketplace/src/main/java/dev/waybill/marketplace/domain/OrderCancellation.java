package dev.waybill.marketplace.domain;

import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** What every cancel does once the order's status is changed: the product is for sale again, the buyer's credit is recomputed. */
@Component
class OrderCancellation {

    private static final Logger log = LoggerFactory.getLogger(OrderCancellation.class);

    private final ProductRepository products;
    private final CreditRepository credits;

    OrderCancellation(ProductRepository products, CreditRepository credits) {
        this.products = products;
        this.credits = credits;
    }

    /** Joins the transaction that cancelled the order. No event is published for a cancel, so the projection is updated here. */
    void release(Order order, Instant now) {
        if (!products.move(order.productId(), ProductStatus.SOLD, ProductStatus.ON_SALE, now)) {
            log.error(
                    "[Orders] product was not sold when its order was cancelled orderId={} productId={}",
                    order.id(),
                    order.productId());
        }
        products.project(order.productId(), now);
        credits.recompute(order.buyerId(), now);
    }
}
