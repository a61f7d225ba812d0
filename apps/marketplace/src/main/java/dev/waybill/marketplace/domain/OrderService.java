package dev.waybill.marketplace.domain;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.servicekit.RetriedTransaction;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;

/** Finds orders and changes their status, with everything that belongs to the change, in one transaction. */
@Service
public class OrderService {

    private final OrderRepository orders;
    private final FulfillmentRepository fulfillments;
    private final OrderCancellation cancellation;
    private final OrderEventPublisher publisher;
    private final Clock clock;

    OrderService(
            OrderRepository orders,
            FulfillmentRepository fulfillments,
            OrderCancellation cancellation,
            OrderEventPublisher publisher,
            Clock clock) {
        this.orders = orders;
        this.fulfillments = fulfillments;
        this.cancellation = cancellation;
        this.publisher = publisher;
        this.clock = clock;
    }

    /**
     * A page of orders.
     *
     * @param page from 1
     * @param total of all pages
     */
    public record Page(List<Order> orders, int page, int size, long total) {}

    /**
     * Changes an order's status. Asking for the status that it already has changes nothing, publishes nothing and returns the
     * order.
     *
     * @throws RefusedException when there is no such order, or its status does not allow the change
     */
    @RetriedTransaction
    public Order move(long id, Trigger trigger) {
        // Another change may have come between the read and the update. The second look locks the row, so that the
        // order is judged by its present status.
        return move(known(orders.find(id)), trigger)
                .or(() -> move(known(orders.findAndLock(id)), trigger))
                .orElseThrow(() -> new IllegalStateException("a locked row was changed by another transaction"));
    }

    /** The order afterwards; empty when its status was changed by another transaction since it was read. */
    private Optional<Order> move(Order order, Trigger trigger) {
        if (order.status() == trigger.target()) {
            return Optional.of(order);
        }
        if (order.status() != trigger.from()) {
            throw new RefusedException(Code.STATE_INVALID);
        }
        Instant now = clock.instant();
        if (!orders.move(order.id(), trigger, now)) {
            return Optional.empty();
        }
        Order after = find(order.id());
        switch (trigger) {
            case PAY -> publisher.paid(after);
            case SHIP -> {
                fulfillments.shipped(after.id());
                publisher.statusChanged(order.status(), after);
            }
            case COMPLETE -> publisher.statusChanged(order.status(), after);
            case CANCEL -> cancellation.release(after, now);
        }
        return Optional.of(after);
    }

    public Order find(long id) {
        return known(orders.find(id));
    }

    /** A buyer's orders, newest first. */
    public Page ofBuyer(long buyerId, int page, int size) {
        return new Page(orders.ofBuyer(buyerId, (page - 1L) * size, size), page, size, orders.countOfBuyer(buyerId));
    }

    private static Order known(Optional<Order> found) {
        return found.orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
    }
}
