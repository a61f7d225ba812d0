package dev.waybill.marketplace.domain;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Creates orders and changes their status. Each call is one transaction: after a crash either all of its writes are there or
 * none.
 *
 * <p>Asking for a status that the order already has changes nothing, publishes nothing and returns the order.
 */
public final class OrderService {

    private final OrderRepository orders;
    private final OrderPlacement placement;
    private final OrderCancellation cancellation;
    private final OrderEventPublisher publisher;
    private final RetryingTransaction transaction;
    private final Clock clock;

    public OrderService(
            OrderRepository orders,
            OrderPlacement placement,
            OrderCancellation cancellation,
            OrderEventPublisher publisher,
            RetryingTransaction transaction,
            Clock clock) {
        this.orders = orders;
        this.placement = placement;
        this.cancellation = cancellation;
        this.publisher = publisher;
        this.transaction = transaction;
        this.clock = clock;
    }

    /**
     * Orders a product. Of many buyers one gets it.
     *
     * @throws RefusedException when there is no such product, or it is sold
     */
    public Order create(long buyerId, long productId) {
        Validation.within("buyerId", buyerId, 1, Long.MAX_VALUE);
        return transaction.run(() -> placement.place(buyerId, productId, now()));
    }

    /**
     * Changes an order's status.
     *
     * @throws RefusedException when there is no such order, or its status does not allow the change
     */
    public Order move(long id, Trigger trigger) {
        // Another change may have come between the read and the update. The second look locks the row, so that the
        // order is
        // judged by its present status.
        return transaction.run(() -> move(known(orders.find(id)), trigger)
                .or(() -> move(known(orders.findAndLock(id)), trigger))
                .orElseThrow(() -> new IllegalStateException("a locked row was changed by another transaction")));
    }

    private Optional<Order> move(Order order, Trigger trigger) {
        if (order.status() == trigger.target()) {
            return Optional.of(order);
        }
        if (!OrderStates.allows(order.status(), trigger)) {
            throw new RefusedException(Code.STATE_INVALID);
        }
        Instant now = now();
        boolean moved = trigger == Trigger.CANCEL
                ? orders.cancel(order.id(), OrderCancellation.BY_USER, now)
                : orders.move(order.id(), order.status(), trigger.target(), now);
        if (!moved) {
            return Optional.empty();
        }
        Order after = known(orders.find(order.id()));
        finish(order.status(), after, trigger, now);
        return Optional.of(after);
    }

    private void finish(OrderStatus old, Order order, Trigger trigger, Instant now) {
        switch (trigger) {
            case PAY -> publisher.paid(order);
            case SHIP, COMPLETE -> publisher.statusChanged(old, order);
            case CANCEL -> cancellation.release(order, now);
        }
    }

    public Order find(long id) {
        return known(orders.find(id));
    }

    private static Order known(Optional<Order> found) {
        return found.orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
