package dev.waybill.marketplace.domain;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.servicekit.RetriedTransaction;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * Creates orders and changes their status. Each call is one transaction: after a crash either all of its writes are there or
 * none.
 *
 * <p>Asking for a status that the order already has changes nothing, publishes nothing and returns the order.
 */
@Service
public class OrderService {

    private final OrderRepository orders;
    private final OrderRequestRepository requests;
    private final OrderPlacement placement;
    private final OrderTransition transition;
    private final Clock clock;

    OrderService(
            OrderRepository orders,
            OrderRequestRepository requests,
            OrderPlacement placement,
            OrderTransition transition,
            Clock clock) {
        this.orders = orders;
        this.requests = requests;
        this.placement = placement;
        this.transition = transition;
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
     * Orders a product. Of many buyers one gets it. A caller whose answer was lost asks again: with the same key the answer is
     * the same order for ever, whatever has become of it; without a key it is the same order while that is pending.
     *
     * @throws RefusedException when there is no such product, or it is sold, or the key was used for another product
     */
    @RetriedTransaction
    public Order create(long buyerId, long productId, @Nullable String key) {
        Optional<Order> earlier = madeWith(key, buyerId, productId);
        if (earlier.isPresent()) {
            return earlier.get();
        }
        Product product = placement.forSaleTo(buyerId, productId);
        Instant now = clock.instant();
        if (!placement.take(product, now)) {
            // the same request may have taken it since the look above
            return (key == null ? orders.pendingOf(productId, buyerId) : madeWith(key, buyerId, productId))
                    .orElseThrow(() -> new RefusedException(Code.STATE_INVALID));
        }
        Order order = placement.place(buyerId, product, now);
        if (key != null) {
            requests.insert(order, key);
        }
        return order;
    }

    private Optional<Order> madeWith(@Nullable String key, long buyerId, long productId) {
        if (key == null) {
            return Optional.empty();
        }
        Optional<Order> made = requests.orderOf(buyerId, key).flatMap(orders::find);
        if (made.isPresent() && made.get().productId() != productId) {
            throw new RefusedException(Code.KEY_REUSED);
        }
        return made;
    }

    /**
     * Changes an order's status.
     *
     * @throws RefusedException when there is no such order, or its status does not allow the change
     */
    @RetriedTransaction
    public Order move(long id, Trigger trigger) {
        // Another change may have come between the read and the update. The second look locks the row, so that the
        // order is judged by its present status.
        return transition
                .apply(known(orders.find(id)), trigger, clock.instant())
                .or(() -> transition.apply(known(orders.findAndLock(id)), trigger, clock.instant()))
                .orElseThrow(() -> new IllegalStateException("a locked row was changed by another transaction"));
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
