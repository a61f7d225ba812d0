package dev.waybill.marketplace.domain;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Closes orders that nobody paid in time. Whoever asks, message or job: one conditional update decides, so that an order is
 * closed once, and never after it was paid.
 */
public final class Timeouts {

    /** What became of a try. */
    public sealed interface Outcome {

        /** Cancelled now, product released, credit computed. */
        record Closed(Order order) implements Outcome {}

        /** Still pending, and its time is not over. */
        record Early(Order order) implements Outcome {}

        /** Paid, or cancelled before. */
        record NotPending(OrderStatus status) implements Outcome {}

        /** There is no such order. */
        record NoSuchOrder() implements Outcome {}
    }

    private final OrderBook book;
    private final Cancelling cancelling;
    private final UnitOfWork work;
    private final Clock clock;
    private final Duration pending;

    public Timeouts(OrderBook book, Cancelling cancelling, UnitOfWork work, Clock clock, Duration pending) {
        this.book = book;
        this.cancelling = cancelling;
        this.work = work;
        this.clock = clock;
        this.pending = pending;
    }

    /** Runs in the caller's transaction. */
    public Outcome close(long orderId) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        boolean closed = book.closeOverdue(orderId, now.minus(pending), now);
        Optional<Order> found = closed ? book.find(orderId) : book.findAndLock(orderId);
        if (found.isEmpty()) {
            return new Outcome.NoSuchOrder();
        }
        Order order = found.get();
        if (closed) {
            cancelling.release(order, now);
            return new Outcome.Closed(order);
        }
        return order.status() == OrderStatus.PENDING
                ? new Outcome.Early(order)
                : new Outcome.NotPending(order.status());
    }

    /** The same in a transaction of its own. */
    Outcome closeNow(long orderId) {
        return work.run(() -> close(orderId));
    }

    List<Long> overdue(long afterId, int limit) {
        return book.overdue(clock.instant().minus(pending), afterId, limit);
    }
}
