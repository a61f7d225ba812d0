package dev.waybill.order.domain;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The lines of a new order: one to {@value #MOST_LINES}, every number within its limits. The limits are such that the largest
 * sum fits its column.
 *
 * @param list the lines, in the caller's order
 */
public record OrderItems(List<Item> list) {

    public static final int MOST_LINES = 200;
    public static final int MOST_OF_ONE = 999_999;
    public static final BigDecimal HIGHEST_PRICE = new BigDecimal("9999999.99");

    static final int DECIMALS = 2;

    private static final Pattern SKU = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private static final Comparator<Item> ANY_ORDER = Comparator.comparingLong(Item::warehouseId)
            .thenComparing(Item::skuId)
            .thenComparing(Item::price)
            .thenComparingInt(Item::quantity);

    /**
     * Checks the lines.
     *
     * @throws InvalidOrderException naming the field and its rule
     */
    public OrderItems {
        Validation.within("items", list.size(), 1, MOST_LINES);
        list = List.copyOf(list);
        for (int i = 0; i < list.size(); i++) {
            check("items[" + i + "].", list.get(i));
        }
        list = list.stream().map(OrderItems::exact).toList();
    }

    private static void check(String line, Item item) {
        Validation.require(
                SKU.matcher(item.skuId()).matches(),
                line + "skuId",
                "1 to 64 letters, digits, dots, dashes, underscores");
        Validation.within(line + "warehouseId", item.warehouseId(), 1, Long.MAX_VALUE);
        Validation.within(line + "quantity", item.quantity(), 1, MOST_OF_ONE);
        // The bounds are compared first: setting the scale of a number such as 1E+999999999 would take all memory.
        BigDecimal price = item.price();
        Validation.require(
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
        return list.stream().map(Item::total).reduce(BigDecimal.ZERO.setScale(DECIMALS), BigDecimal::add);
    }

    /** Whether the same things are bought at the same prices, whatever the order of the lines. */
    public boolean sameAs(List<Item> others) {
        return inOneOrder().equals(sorted(others));
    }

    /** The lines in an order that does not depend on the caller's. */
    public List<Item> inOneOrder() {
        return sorted(list);
    }

    private static List<Item> sorted(List<Item> lines) {
        return lines.stream().sorted(ANY_ORDER).toList();
    }
}
