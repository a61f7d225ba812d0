package dev.waybill.marketplace.domain;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Products and buyers: what is for sale, and what is known about who buys. */
public final class Trade {

    private final Shelf shelf;
    private final CreditBook credits;
    private final UnitOfWork work;
    private final Clock clock;

    public Trade(Shelf shelf, CreditBook credits, UnitOfWork work, Clock clock) {
        this.shelf = shelf;
        this.credits = credits;
        this.work = work;
        this.clock = clock;
    }

    public Product offer(NewProduct wanted) {
        return work.run(() -> {
            Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
            Product product = shelf.insert(wanted, now);
            shelf.project(product.id(), now);
            return product;
        });
    }

    public Product find(long productId) {
        return shelf.find(productId).orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
    }

    /** What the projection says, which follows the product a moment later. */
    public ProductStatus projected(long productId) {
        return shelf.projected(productId).orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
    }

    public Credit credit(long buyerId) {
        return credits.find(buyerId).orElseGet(() -> Credit.fresh(buyerId));
    }
}
