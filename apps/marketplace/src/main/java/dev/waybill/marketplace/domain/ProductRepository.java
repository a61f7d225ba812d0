package dev.waybill.marketplace.domain;

import java.time.Instant;
import java.util.Optional;

/** Stores products and their projection, which readers use. Writes belong to the caller's transaction. */
public interface ProductRepository {

    /** Stores a product that is on sale. */
    Product insert(NewProduct product, Instant now);

    Optional<Product> find(long id);

    /** Whether the product was in that status and is in the other one now; its row is locked then. */
    boolean move(long id, ProductStatus from, ProductStatus to, Instant now);

    /**
     * Copies the product's status into the projection. The product's row is locked first, so that of two transactions that
     * copy it, such as a cancel and the event's handler, the later one copies the newer status.
     *
     * @return false when there is no such product
     */
    boolean project(long productId, Instant now);

    /** What the projection says. */
    Optional<ProductStatus> projected(long productId);
}
