package dev.waybill.marketplace.domain;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.InvalidFieldException;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.servicekit.SerialNumbers;
import java.time.Instant;
import org.springframework.stereotype.Component;

/** Takes the product off sale, stores the order, publishes its events. Joins the caller's transaction. */
@Component
class OrderPlacement {

    private final OrderRepository orders;
    private final ProductRepository products;
    private final CreditRepository credits;
    private final OrderEventPublisher publisher;
    private final SerialNumbers numbers;

    OrderPlacement(
            OrderRepository orders,
            ProductRepository products,
            CreditRepository credits,
            OrderEventPublisher publisher,
            SerialNumbers numbers) {
        this.orders = orders;
        this.products = products;
        this.credits = credits;
        this.publisher = publisher;
        this.numbers = numbers;
    }

    /** Whether this transaction took it; if so, its row is locked, and nobody else has it. */
    boolean take(Product product, Instant now) {
        return products.move(product.id(), ProductStatus.ON_SALE, ProductStatus.SOLD, now);
    }

    Product forSaleTo(long buyerId, long productId) {
        Product product = products.find(productId).orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
        if (product.sellerId() == buyerId) {
            throw new InvalidFieldException("buyerId", "not the seller");
        }
        return product;
    }

    Order place(long buyerId, Product product, Instant now) {
        credits.open(buyerId, now);
        Order order = orders.insert(numbers.next(), buyerId, product, now);
        publisher.created(order);
        return order;
    }
}
