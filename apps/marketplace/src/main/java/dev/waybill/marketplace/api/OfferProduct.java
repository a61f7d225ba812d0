package dev.waybill.marketplace.api;

import dev.waybill.marketplace.domain.NewProduct;
import dev.waybill.marketplace.domain.Validation;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /products}. Every field may be missing until it was checked. */
record OfferProduct(
        @Nullable Long sellerId,
        @Nullable String title,
        @Nullable BigDecimal price) {

    NewProduct checked() {
        return new NewProduct(
                Validation.present("sellerId", sellerId),
                Validation.present("title", title),
                Validation.present("price", price));
    }
}
