package dev.waybill.order.domain;

import java.math.BigDecimal;

/**
 * One line of an order.
 *
 * @param skuId what is bought: letters, digits and {@code . _ -}
 * @param warehouseId where it comes from
 * @param quantity how many, at least one
 * @param price of a single one, with two decimals
 */
public record Item(String skuId, long warehouseId, int quantity, BigDecimal price) {

    public static final int DECIMALS = 2;

    BigDecimal total() {
        return price.multiply(BigDecimal.valueOf(quantity));
    }
}
