package dev.waybill.marketplace.domain;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Puts products up for sale and finds them. */
public final class ProductService {

    private final ProductRepository products;
    private final RetryingTransaction transaction;
    private final Clock clock;

    public ProductService(ProductRepository products, RetryingTransaction transaction, Clock clock) {
        this.products = products;
        this.transaction = transaction;
        this.clock = clock;
    }

    public Product offer(NewProduct wanted) {
        return transaction.run(() -> {
            Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
            Product product = products.insert(wanted, now);
            products.project(product.id(), now);
            return product;
        });
    }

    public Product find(long productId) {
        return products.find(productId).orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
    }

    /** The status in the projection, which is updated by an event a moment after the product. */
    public ProductStatus projected(long productId) {
        return products.projected(productId).orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
    }
}
