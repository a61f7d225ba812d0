package dev.waybill.marketplace.api;

import dev.waybill.marketplace.domain.NewProduct;
import dev.waybill.marketplace.domain.Rules;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /products}. Anything may be missing until it was checked. */
record OfferProduct(
        @Nullable Long sellerId,
        @Nullable String title,
        @Nullable BigDecimal price) {

    NewProduct checked() {
        return new NewProduct(
                Rules.present("sellerId", sellerId), Rules.present("title", title), Rules.present("price", price));
    }
}
