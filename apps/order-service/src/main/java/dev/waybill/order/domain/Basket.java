package dev.waybill.order.domain;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What somebody wants to buy: one to {@value #MOST_LINES} lines, every number within its limits. The limits leave no way for the sum to outgrow its column.
 *
 * @param items the lines, in the caller's order
 */
public record Basket(List<Item> items) {

    public static final int MOST_LINES = 200;
    public static final int MOST_OF_ONE = 999_999;
    public static final BigDecimal HIGHEST_PRICE = new BigDecimal("9999999.99");

    static final int DECIMALS = 2;

    private static final Pattern SKU = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private static final Comparator<Item> ANY_ORDER = Comparator.comparingLong(Item::warehouseId)
            .thenComparing(Item::skuId)
            .thenComparing(Item::price)
            .thenComparingInt(Item::quantity);

    /**
     * Checks the lines.
     *
     * @throws InvalidOrderException naming the field and its rule
     */
    public Basket {
        Rules.within("items", items.size(), 1, MOST_LINES);
        items = List.copyOf(items);
        for (int i = 0; i < items.size(); i++) {
            check("items[" + i + "].", items.get(i));
        }
        items = items.stream().map(Basket::exact).toList();
    }

    private static void check(String line, Item item) {
        Rules.require(
                SKU.matcher(item.skuId()).matches(),
                line + "skuId",
                "1 to 64 letters, digits, dots, dashes, underscores");
        Rules.within(line + "warehouseId", item.warehouseId(), 1, Long.MAX_VALUE);
        Rules.within(line + "quantity", item.quantity(), 1, MOST_OF_ONE);
        // The bounds come first: a number such as 1E+999999999 must not be written out.
        BigDecimal price = item.price();
        Rules.require(
                price.signum() >= 0
                        && price.compareTo(HIGHEST_PRICE) <= 0
                        && price.stripTrailingZeros().scale() <= DECIMALS,
                line + "price",
                "0 to " + HIGHEST_PRICE + ", two decimals");
    }

    private static Item exact(Item item) {
        return new Item(
                item.skuId(), item.warehouseId(), item.quantity(), item.price().setScale(DECIMALS));
    }

    /** The sum, to the cent. */
    public BigDecimal amount() {
        return items.stream().map(Item::total).reduce(BigDecimal.ZERO.setScale(DECIMALS), BigDecimal::add);
    }

    /** Whether the same things are bought at the same prices, whatever the order of the lines. */
    public boolean holds(List<Item> others) {
        return sorted(items).equals(sorted(others));
    }

    private static List<Item> sorted(List<Item> lines) {
        return lines.stream().sorted(ANY_ORDER).toList();
    }
}
