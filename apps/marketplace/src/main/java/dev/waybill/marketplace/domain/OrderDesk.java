package dev.waybill.marketplace.domain;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Takes orders and moves them. Each call is one transaction; after a crash either all of it is there or nothing.
 *
 * <p>Asking for what is already so changes nothing, tells nobody, and returns the order.
 */
public final class OrderDesk {

    private final OrderBook book;
    private final Shelf shelf;
    private final CreditBook credits;
    private final OrderEvents events;
    private final OrderNumbers numbers;
    private final Cancelling cancelling;
    private final UnitOfWork work;
    private final Clock clock;

    /** What a desk is made of. */
    public record Parts(
            OrderBook book,
            Shelf shelf,
            CreditBook credits,
            OrderEvents events,
            OrderNumbers numbers,
            Cancelling cancelling,
            UnitOfWork work,
            Clock clock) {}

    public OrderDesk(Parts parts) {
        this.book = parts.book();
        this.shelf = parts.shelf();
        this.credits = parts.credits();
        this.events = parts.events();
        this.numbers = parts.numbers();
        this.cancelling = parts.cancelling();
        this.work = parts.work();
        this.clock = parts.clock();
    }

    /**
     * Orders a product. Of many buyers one gets it.
     *
     * @throws RefusedException when there is no such product, or it is sold
     */
    public Order create(long buyerId, long productId) {
        Rules.within("buyerId", buyerId, 1, Long.MAX_VALUE);
        return work.run(() -> place(buyerId, productId));
    }

    private Order place(long buyerId, long productId) {
        Instant now = now();
        Product product = shelf.find(productId).orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
        Rules.require(product.sellerId() != buyerId, "buyerId", "not the seller");
        if (!shelf.move(productId, ProductStatus.ON_SALE, ProductStatus.SOLD, now)) {
            throw new RefusedException(Code.STATE_INVALID);
        }
        credits.open(buyerId, now);
        Order order = book.insert(new OrderBook.Draft(numbers.next(), buyerId, product, product.price(), now));
        events.created(order);
        return order;
    }

    /**
     * Moves an order.
     *
     * @throws RefusedException when there is no such order, or it stands where this cannot happen
     */
    public Order move(long id, Trigger trigger) {
        // Losing to another change is no reason to refuse: what counts is where the order stands now.
        return work.run(() -> move(known(book.find(id)), trigger)
                .or(() -> move(known(book.findAndLock(id)), trigger))
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
                ? book.cancel(order.id(), Cancelling.BY_USER, now)
                : book.move(order.id(), order.status(), trigger.target(), now);
        if (!moved) {
            return Optional.empty();
        }
        Order after = known(book.find(order.id()));
        follow(order.status(), after, trigger, now);
        return Optional.of(after);
    }

    private void follow(OrderStatus old, Order order, Trigger trigger, Instant now) {
        switch (trigger) {
            case PAY -> events.paid(order);
            case SHIP, COMPLETE -> events.statusChanged(old, order);
            case CANCEL -> cancelling.release(order, now);
        }
    }

    public Order find(long id) {
        return known(book.find(id));
    }

    private static Order known(Optional<Order> found) {
        return found.orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
