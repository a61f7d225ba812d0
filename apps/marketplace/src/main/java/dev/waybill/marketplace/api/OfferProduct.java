package dev.waybill.marketplace.api;

import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /products}. A price may be spelled with zeros behind it. */
record OfferProduct(
        @Positive long sellerId,

        @NotBlank @Pattern(regexp = "[^\\p{Cc}\\p{Cs}]{1,128}", message = "1 to 128 characters, no control characters") String title,

        @NotNull @DecimalMin("0.01") @DecimalMax("9999999.99") @Digits(integer = 7, fraction = 2) BigDecimal price) {

    OfferProduct {
        price = plain(price);
    }

    @SuppressWarnings("NullAway") // what is missing is refused after this
    private static BigDecimal plain(@Nullable BigDecimal price) {
        return price == null ? null : price.stripTrailingZeros();
    }
}
