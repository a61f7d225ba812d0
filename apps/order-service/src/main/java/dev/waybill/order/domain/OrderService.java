package dev.waybill.order.domain;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Creates and cancels orders. Each call is one transaction, which is repeated up to {@value #RETRIES} times when another one
 * won a race against it; after a crash either all of its writes are there or none.
 */
public final class OrderService {

    private static final int RETRIES = 4;

    private final OrderRepository orders;
    private final OrderTransitions transitions;
    private final OrderNumbers numbers;
    private final TransactionTemplate transaction;
    private final RetryTemplate retries = new RetryTemplate(RetryPolicy.builder()
            .maxRetries(RETRIES)
            .delay(Duration.ZERO)
            .predicate(OrderService::lostRace)
            .build());
    private final OrderCheckpoints checkpoints;

    public OrderService(
            OrderRepository orders,
            OrderTransitions transitions,
            OrderNumbers numbers,
            PlatformTransactionManager transactions,
            OrderCheckpoints checkpoints) {
        this.orders = orders;
        this.transitions = transitions;
        this.numbers = numbers;
        this.transaction = new TransactionTemplate(transactions);
        this.checkpoints = checkpoints;
    }

    /**
     * Creates the order, or returns the one that the same request created before.
     *
     * @throws RefusedException when that one has other items
     */
    public Order create(NewOrder wanted) {
        Order order = inTransaction(() -> existing(wanted).orElseGet(() -> place(wanted)));
        checkpoints.reached(OrderCheckpoints.Place.CREATE_COMMITTED, order.orderNo());
        return order;
    }

    private Optional<Order> existing(NewOrder wanted) {
        Optional<Order> found = orders.findByRequest(wanted.userId(), wanted.clientRequestId());
        if (found.isPresent() && !wanted.items().sameAs(found.get().items())) {
            throw new RefusedException(Code.KEY_REUSED);
        }
        return found;
    }

    private Order place(NewOrder wanted) {
        Order order = transitions.create(numbers.next(), wanted);
        checkpoints.reached(OrderCheckpoints.Place.CREATE_WRITTEN, order.orderNo());
        return order;
    }

    /**
     * Cancels the order; one that is canceled already is returned as it is.
     *
     * @throws RefusedException when there is no such order, or it can't be canceled any more
     */
    public Order cancel(String orderNo) {
        Order order = inTransaction(() -> cancelNow(orderNo));
        checkpoints.reached(OrderCheckpoints.Place.CANCEL_COMMITTED, orderNo);
        return order;
    }

    private Order cancelNow(String orderNo) {
        // A stock event may have come between the read and the update. The second look locks the row, so that the order
        // is
        // judged by its present status.
        return cancelFrom(known(orders.find(orderNo)))
                .or(() -> cancelFrom(known(orders.findAndLock(orderNo))))
                .orElseThrow(() -> new IllegalStateException("a locked row was changed by another transaction"));
    }

    private Optional<Order> cancelFrom(Order order) {
        if (order.status() == OrderStatus.CANCELED) {
            return Optional.of(order);
        }
        OrderStatus next = OrderStates.next(order.status(), Trigger.CANCEL)
                .orElseThrow(() -> new RefusedException(Code.STATE_INVALID));
        checkpoints.reached(OrderCheckpoints.Place.CANCEL_READ, order.orderNo());
        Optional<Order> canceled = transitions.cancel(order, next);
        canceled.ifPresent(done -> checkpoints.reached(OrderCheckpoints.Place.CANCEL_WRITTEN, done.orderNo()));
        return canceled;
    }

    public Order find(String orderNo) {
        return known(orders.find(orderNo));
    }

    public List<StateChange> history(String orderNo) {
        find(orderNo);
        return orders.history(orderNo);
    }

    private static Order known(Optional<Order> found) {
        return found.orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
    }

    private Order inTransaction(Supplier<Order> work) {
        return retries.invoke(() -> transaction.<Order>execute(status -> work.get()));
    }

    /**
     * Whether another transaction won a race against this one. A duplicate key: the same request has created its order
     * meanwhile, which the next attempt finds; or another order took the number, and the next attempt draws a new one. A
     * concurrency failure, or a conflict in the outbox's own statement: the database rolled this transaction back to end a
     * deadlock.
     */
    private static boolean lostRace(Throwable failure) {
        return failure instanceof DuplicateKeyException
                || failure instanceof ConcurrencyFailureException
                || (failure instanceof StoreException outbox && outbox.reason() == Reason.CONFLICT);
    }
}
