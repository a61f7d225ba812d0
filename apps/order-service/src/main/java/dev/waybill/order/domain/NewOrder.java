package dev.waybill.order.domain;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;

/**
 * A request for an order. Its numbers were checked: the largest sum fits its column.
 *
 * @param userId who orders
 * @param clientRequestId the caller's id of this request: a repeat with the same id is the same order
 * @param items what is ordered, in the caller's order
 */
public record NewOrder(long userId, String clientRequestId, List<Item> items) {

    private static final Comparator<Item> ANY_ORDER = Comparator.comparingLong(Item::warehouseId)
            .thenComparing(Item::skuId)
            .thenComparing(Item::price)
            .thenComparingInt(Item::quantity);

    /** The sum, to the cent. */
    BigDecimal amount() {
        return items.stream().map(Item::total).reduce(BigDecimal.ZERO.setScale(Item.DECIMALS), BigDecimal::add);
    }

    /** What makes two requests the same: everything but the order of the lines. */
    public NewOrder meaning() {
        return new NewOrder(userId, clientRequestId, sorted(items));
    }

    /** Whether that order buys the same things at the same prices. */
    boolean asksFor(Order order) {
        return sorted(items).equals(sorted(order.items()));
    }

    private static List<Item> sorted(List<Item> lines) {
        return lines.stream().sorted(ANY_ORDER).toList();
    }
}
