package dev.waybill.marketplace.domain;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Closes orders that were not paid in time. One conditional update decides for message and job alike, so that an order is
 * closed once, and never after it was paid.
 */
public final class OrderTimeoutService {

    /** What became of an attempt. */
    public sealed interface Outcome {

        /** Cancelled now, product released, credit computed. */
        record Closed(Order order) implements Outcome {}

        /** Still pending, and not overdue yet. */
        record Early(Order order) implements Outcome {}

        /** Paid, or cancelled before. */
        record NotPending(OrderStatus status) implements Outcome {}

        /** There is no such order. */
        record NoSuchOrder() implements Outcome {}
    }

    private final OrderRepository orders;
    private final OrderCancellation cancellation;
    private final RetryingTransaction transaction;
    private final Clock clock;
    private final Duration pending;

    public OrderTimeoutService(
            OrderRepository orders,
            OrderCancellation cancellation,
            RetryingTransaction transaction,
            Clock clock,
            Duration pending) {
        this.orders = orders;
        this.cancellation = cancellation;
        this.transaction = transaction;
        this.clock = clock;
        this.pending = pending;
    }

    /** Runs in the caller's transaction. */
    public Outcome close(long orderId) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        boolean closed = orders.closeOverdue(orderId, now.minus(pending), now);
        Optional<Order> found = closed ? orders.find(orderId) : orders.findAndLock(orderId);
        if (found.isEmpty()) {
            return new Outcome.NoSuchOrder();
        }
        Order order = found.get();
        if (closed) {
            cancellation.release(order, now);
            return new Outcome.Closed(order);
        }
        return order.status() == OrderStatus.PENDING
                ? new Outcome.Early(order)
                : new Outcome.NotPending(order.status());
    }

    /** The same in a transaction of its own. */
    Outcome closeNow(long orderId) {
        return transaction.run(() -> close(orderId));
    }

    List<Long> overdue(long afterId, int limit) {
        return orders.overdue(clock.instant().minus(pending), afterId, limit);
    }
}
