package dev.waybill.marketplace.domain;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.InvalidFieldException;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.servicekit.RetriedTransaction;
import dev.waybill.servicekit.SerialNumbers;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Places orders: takes the product off sale, stores the order, publishes its events, all in one transaction. */
@Service
public class OrderPlacement {

    private final OrderRepository orders;
    private final ProductRepository products;
    private final CreditRepository credits;
    private final OrderEventPublisher publisher;
    private final SerialNumbers numbers;
    private final Clock clock;

    OrderPlacement(
            OrderRepository orders,
            ProductRepository products,
            CreditRepository credits,
            OrderEventPublisher publisher,
            SerialNumbers numbers,
            Clock clock) {
        this.orders = orders;
        this.products = products;
        this.credits = credits;
        this.publisher = publisher;
        this.numbers = numbers;
        this.clock = clock;
    }

    /**
     * Orders a product. Of many buyers one gets it. A caller whose answer was lost asks again: with the same key the answer is
     * the same order for ever, whatever has become of it; without a key it is the same order while that is pending.
     *
     * @throws RefusedException when there is no such product, or it is sold, or the key was used for another product
     */
    @RetriedTransaction
    public Order place(long buyerId, long productId, @Nullable String key) {
        Optional<Order> earlier = madeWith(key, buyerId, productId);
        if (earlier.isPresent()) {
            return earlier.get();
        }
        Product product = products.find(productId).orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
        if (product.sellerId() == buyerId) {
            throw new InvalidFieldException("buyerId", "not the seller");
        }
        Instant now = clock.instant();
        if (!products.move(productId, ProductStatus.ON_SALE, ProductStatus.SOLD, now)) {
            // the same request may have taken it since the look above
            return (key == null ? orders.pendingOf(productId, buyerId) : madeWith(key, buyerId, productId))
                    .orElseThrow(() -> new RefusedException(Code.STATE_INVALID));
        }
        credits.open(buyerId, now);
        Order order = orders.insert(numbers.next(), buyerId, product, now);
        publisher.created(order);
        if (key != null) {
            orders.keepKey(key, order);
        }
        return order;
    }

    private Optional<Order> madeWith(@Nullable String key, long buyerId, long productId) {
        Optional<Order> made = key == null ? Optional.empty() : orders.madeWith(key, buyerId);
        if (made.isPresent() && made.get().productId() != productId) {
            throw new RefusedException(Code.KEY_REUSED);
        }
        return made;
    }
}
