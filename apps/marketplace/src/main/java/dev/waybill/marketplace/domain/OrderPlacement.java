package dev.waybill.marketplace.domain;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import java.time.Instant;

/** Creates an order: takes the product off sale, stores the order, publishes its events. Joins the caller's transaction. */
public final class OrderPlacement {

    private final OrderRepository orders;
    private final ProductRepository products;
    private final CreditRepository credits;
    private final OrderEventPublisher publisher;
    private final OrderNumbers numbers;

    public OrderPlacement(
            OrderRepository orders,
            ProductRepository products,
            CreditRepository credits,
            OrderEventPublisher publisher,
            OrderNumbers numbers) {
        this.orders = orders;
        this.products = products;
        this.credits = credits;
        this.publisher = publisher;
        this.numbers = numbers;
    }

    Order place(long buyerId, long productId, Instant now) {
        Product product = products.find(productId).orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
        Validation.require(product.sellerId() != buyerId, "buyerId", "not the seller");
        if (!products.move(productId, ProductStatus.ON_SALE, ProductStatus.SOLD, now)) {
            throw new RefusedException(Code.STATE_INVALID);
        }
        credits.open(buyerId, now);
        Order order = orders.insert(new OrderRepository.Draft(numbers.next(), buyerId, product, product.price(), now));
        publisher.created(order);
        return order;
    }
}
