package dev.waybill.marketplace.domain;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.servicekit.RetriedTransaction;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import org.springframework.stereotype.Service;

/** Puts products up for sale and finds them. */
@Service
public class ProductService {

    private final ProductRepository products;
    private final Clock clock;

    ProductService(ProductRepository products, Clock clock) {
        this.products = products;
        this.clock = clock;
    }

    @RetriedTransaction
    public Product offer(long sellerId, String title, BigDecimal price) {
        Instant now = clock.instant();
        Product product = products.insert(sellerId, title, price, now);
        products.project(product.id(), now);
        return product;
    }

    public Product find(long productId) {
        return products.find(productId).orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
    }

    /** The status in the projection, which is updated by an event a moment after the product. */
    public ProductStatus projected(long productId) {
        return products.projected(productId).orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
    }
}
