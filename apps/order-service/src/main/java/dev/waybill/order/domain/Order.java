package dev.waybill.order.domain;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/**
 * An order as it stood when it was read.
 *
 * @param version how often its status changed
 */
public record Order(
        String orderNo,
        long userId,
        OrderStatus status,
        BigDecimal amount,
        List<Item> items,
        int version,
        Instant createdAt,
        Instant updatedAt) {

    /** The same order after a change of its status. */
    Order movedTo(OrderStatus next, Instant now) {
        return new Order(orderNo, userId, next, amount, items, version + 1, createdAt, now);
    }

    Order with(List<Item> lines) {
        return new Order(orderNo, userId, status, amount, lines, version, createdAt, updatedAt);
    }
}
