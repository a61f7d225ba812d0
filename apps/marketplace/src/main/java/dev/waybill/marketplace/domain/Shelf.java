package dev.waybill.marketplace.domain;

import java.time.Instant;
import java.util.Optional;

/** Products, stored, and the projection that others read. Writes belong to the caller's transaction. */
public interface Shelf {

    /** Puts it up for sale. */
    Product insert(NewProduct product, Instant now);

    Optional<Product> find(long id);

    /** Whether the product was in that status and is in the other one now; its row is locked then. */
    boolean move(long id, ProductStatus from, ProductStatus to, Instant now);

    /**
     * Copies the product's status into the projection. The product's row is locked meanwhile, so that whoever comes last
     * copies what is true last, in whichever order creating, cancelling and the event's handler get here.
     *
     * @return false when there is no such product
     */
    boolean project(long productId, Instant now);

    /** What the projection says. */
    Optional<ProductStatus> projected(long productId);
}
