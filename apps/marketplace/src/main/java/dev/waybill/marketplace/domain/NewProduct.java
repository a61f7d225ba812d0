package dev.waybill.marketplace.domain;

import java.math.BigDecimal;

/** What a seller puts up for sale, checked. */
public record NewProduct(long sellerId, String title, BigDecimal price) {

    private static final int LONGEST_TITLE = 128;
    private static final BigDecimal HIGHEST = new BigDecimal("9999999.99");

    public NewProduct {
        Validation.within("sellerId", sellerId, 1, Long.MAX_VALUE);
        int length = title.codePointCount(0, title.length());
        Validation.require(
                !title.isBlank() && length <= LONGEST_TITLE, "title", "1 to " + LONGEST_TITLE + " characters");
        Validation.require(title.codePoints().noneMatch(NewProduct::isUnprintable), "title", "no control characters");
        Validation.require(
                price.signum() > 0 && price.precision() - price.scale() <= 7 && price.compareTo(HIGHEST) <= 0,
                "price",
                "above 0, at most " + HIGHEST);
        Validation.require(
                price.scale() <= 2 || price.stripTrailingZeros().scale() <= 2, "price", "at most 2 decimals");
        price = price.setScale(2);
    }

    private static boolean isUnprintable(int point) {
        boolean lone = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
        return lone || Character.isISOControl(point);
    }
}
