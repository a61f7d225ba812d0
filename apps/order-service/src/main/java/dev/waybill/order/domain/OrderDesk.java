package dev.waybill.order.domain;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Takes and cancels orders. Each call is one transaction, repeated where the database chose it as a deadlock's victim; after a
 * crash either all of it is there or nothing.
 */
public final class OrderDesk {

    private static final int TRIES = 5;

    private final OrderBook book;
    private final Moves moves;
    private final OrderNumbers numbers;
    private final TransactionTemplate transaction;
    private final Steps steps;

    public OrderDesk(
            OrderBook book, Moves moves, OrderNumbers numbers, PlatformTransactionManager transactions, Steps steps) {
        this.book = book;
        this.moves = moves;
        this.numbers = numbers;
        this.transaction = new TransactionTemplate(transactions);
        this.steps = steps;
    }

    /**
     * Takes the order, or returns the one that the same request made before.
     *
     * @throws RefusedException when that one has other items
     */
    public Order create(NewOrder wanted) {
        Order order = inTransaction(() -> existing(wanted).orElseGet(() -> place(wanted)));
        steps.reached(Steps.Place.CREATE_COMMITTED, order.orderNo());
        return order;
    }

    private Optional<Order> existing(NewOrder wanted) {
        Optional<Order> found = book.findByRequest(wanted.userId(), wanted.clientRequestId());
        if (found.isPresent() && !wanted.basket().holds(found.get().items())) {
            throw new RefusedException(Code.KEY_REUSED);
        }
        return found;
    }

    private Order place(NewOrder wanted) {
        Order order = moves.create(numbers.next(), wanted);
        steps.reached(Steps.Place.CREATE_WRITTEN, order.orderNo());
        return order;
    }

    /**
     * Cancels the order; one that is canceled already is returned as it is.
     *
     * @throws RefusedException when there is no such order, or it can't be canceled any more
     */
    public Order cancel(String orderNo) {
        Order order = inTransaction(() -> cancelNow(orderNo));
        steps.reached(Steps.Place.CANCEL_COMMITTED, orderNo);
        return order;
    }

    private Order cancelNow(String orderNo) {
        // Losing to another change is no reason to refuse: what counts is where the order stands now.
        return cancelFrom(known(book.find(orderNo)))
                .or(() -> cancelFrom(known(book.findAndLock(orderNo))))
                .orElseThrow(() -> new IllegalStateException("a locked row was changed by another transaction"));
    }

    private Optional<Order> cancelFrom(Order order) {
        if (order.status() == OrderStatus.CANCELED) {
            return Optional.of(order);
        }
        OrderStatus next = OrderStates.next(order.status(), Trigger.CANCEL)
                .orElseThrow(() -> new RefusedException(Code.STATE_INVALID));
        steps.reached(Steps.Place.CANCEL_READ, order.orderNo());
        Optional<Order> canceled = moves.cancel(order, next);
        canceled.ifPresent(done -> steps.reached(Steps.Place.CANCEL_WRITTEN, done.orderNo()));
        return canceled;
    }

    public Order find(String orderNo) {
        return known(book.find(orderNo));
    }

    public List<StateChange> history(String orderNo) {
        find(orderNo);
        return book.history(orderNo);
    }

    private static Order known(Optional<Order> found) {
        return found.orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
    }

    /**
     * A duplicate key means that the same request, or another order's number, was quicker: the next try finds the one, or draws
     * another number.
     */
    private Order inTransaction(Supplier<Order> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return transaction.<Order>execute(status -> work.get());
            } catch (DuplicateKeyException | ConcurrencyFailureException quicker) {
                if (attempt == TRIES) {
                    throw quicker;
                }
            }
        }
    }
}
