package dev.waybill.marketplace.domain;

import dev.waybill.servicekit.RetriedTransaction;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Service;

/**
 * Closes orders that were not paid in time. One conditional update decides for message and job alike, so that an order is
 * closed once, and never after it was paid.
 */
@Service
public class OrderTimeoutService {

    /** What became of an attempt. */
    public enum Outcome {
        /** Cancelled now, product released, credit computed. */
        CLOSED,
        /** Still pending, and not overdue yet. */
        EARLY,
        /** Paid, or cancelled before. */
        NOT_PENDING
    }

    private final OrderRepository orders;
    private final OrderCancellation cancellation;
    private final Clock clock;
    private final Duration pending;

    OrderTimeoutService(OrderRepository orders, OrderCancellation cancellation, Clock clock, TimeoutSettings settings) {
        this.orders = orders;
        this.cancellation = cancellation;
        this.clock = clock;
        this.pending = settings.after();
    }

    /** Runs in the caller's transaction. */
    public Outcome close(long orderId) {
        Instant now = clock.instant();
        boolean closed = orders.closeOverdue(orderId, now.minus(pending), now);
        Order order = orders.findAndLock(orderId).orElseThrow();
        if (closed) {
            cancellation.release(order, now);
            return Outcome.CLOSED;
        }
        return order.status() == OrderStatus.PENDING ? Outcome.EARLY : Outcome.NOT_PENDING;
    }

    /** The same in a transaction of its own. */
    @RetriedTransaction
    public Outcome closeNow(long orderId) {
        return close(orderId);
    }

    List<Long> overdue(long afterId, int limit) {
        return orders.overdue(clock.instant().minus(pending), afterId, limit);
    }
}
