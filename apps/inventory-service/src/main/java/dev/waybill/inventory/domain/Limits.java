package dev.waybill.inventory.domain;

import java.util.regex.Pattern;

/** Limits of order numbers, SKUs and quantities. What passes fits columns, Redis keys and log lines. */
public final class Limits {

    /** Lines of one order. */
    public static final int LINES = 1000;

    /** Units of one line. */
    public static final long QUANTITY = 1_000_000_000;

    /** A SKU: letters, digits and {@code . _ -}. */
    public static final String SKU = "[A-Za-z0-9._-]{1,64}";

    private static final Pattern SKU_PATTERN = Pattern.compile(SKU);
    private static final Pattern ORDER_NO = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private Limits() {}

    public static boolean isSku(String text) {
        return SKU_PATTERN.matcher(text).matches();
    }

    public static boolean isOrderNo(String text) {
        return ORDER_NO.matcher(text).matches();
    }

    public static boolean isQuantity(long quantity) {
        return quantity >= 1 && quantity <= QUANTITY;
    }
}
