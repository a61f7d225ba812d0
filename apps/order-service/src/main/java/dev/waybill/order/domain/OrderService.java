package dev.waybill.order.domain;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.message.HandlerResult;
import dev.waybill.order.domain.StateChange.IgnoredReason;
import dev.waybill.servicekit.RetriedTransaction;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;

/**
 * Creates, cancels and reads orders. Each write is one transaction, which is repeated when another one won a race against it;
 * after a crash either all of its rows are there or none.
 */
@Service
public class OrderService {

    private final OrderRepository orders;
    private final StateFlowRepository flows;
    private final OrderTransitions transitions;

    OrderService(OrderRepository orders, StateFlowRepository flows, OrderTransitions transitions) {
        this.orders = orders;
        this.flows = flows;
        this.transitions = transitions;
    }

    /**
     * Creates the order, or returns the one that the same request created before.
     *
     * @throws RefusedException when that one has other items, or was deleted
     */
    @RetriedTransaction
    public Order create(NewOrder wanted) {
        Optional<String> existing = orders.findNumber(wanted.userId(), wanted.clientRequestId());
        if (existing.isEmpty()) {
            return transitions.create(wanted);
        }
        Order order = find(existing.get());
        if (!wanted.asksFor(order)) {
            throw new RefusedException(Code.KEY_REUSED);
        }
        return order;
    }

    /**
     * Cancels the order; one that is canceled already is returned as it is.
     *
     * @throws RefusedException when there is no such order, or it can't be canceled any more
     */
    @RetriedTransaction
    public Order cancel(String orderNo) {
        // A stock event may have come between the read and the update. The second look locks the row, so that the
        // order is judged by its present status.
        return cancel(find(orderNo))
                .or(() -> cancel(known(orders.findAndLock(orderNo))))
                .orElseThrow(() -> new IllegalStateException("a locked row was changed by another transaction"));
    }

    private Optional<Order> cancel(Order order) {
        if (order.status() == OrderStatus.CANCELED) {
            return Optional.of(order);
        }
        OrderStatus next = OrderStates.next(order.status(), Trigger.CANCEL)
                .orElseThrow(() -> new RefusedException(Code.STATE_INVALID));
        return transitions.cancel(order, next);
    }

    /** Cancels the order if it still waits for its stock answer; an answer that comes first wins. */
    @RetriedTransaction
    public boolean cancelUnanswered(String orderNo) {
        return orders.find(orderNo)
                .filter(order -> order.status() == OrderStatus.CREATED)
                .flatMap(order -> transitions.cancel(order, OrderStatus.CANCELED))
                .isPresent();
    }

    /**
     * Applies the inventory's answer, in the caller's transaction. The first answer wins; a later one, or one that comes after a
     * cancel, leaves the order as it is and is written into its history.
     */
    public HandlerResult apply(OrderEvent answer) {
        Optional<Order> found = orders.find(answer.orderNo());
        if (found.isEmpty()) {
            return HandlerResult.reject("订单不存在");
        }
        Order order = found.get();
        Optional<OrderStatus> next = OrderStates.next(order.status(), answer.trigger());
        if (next.isEmpty()) {
            return ignore(order, answer, IgnoredReason.STATUS_NOT_CREATED);
        }
        if (transitions.apply(order, next.get(), answer)) {
            return HandlerResult.DONE;
        }
        return ignore(orders.findAndLock(order.orderNo()).orElse(order), answer, IgnoredReason.CAS_CONFLICT);
    }

    private HandlerResult ignore(Order order, OrderEvent answer, IgnoredReason reason) {
        transitions.ignore(order, answer, reason);
        return HandlerResult.ignored(reason.name());
    }

    public Order find(String orderNo) {
        return known(orders.find(orderNo));
    }

    public Optional<Long> ownerOf(String orderNo) {
        return orders.findOwner(orderNo);
    }

    public List<StateChange> history(String orderNo) {
        return flows.of(orderNo);
    }

    /** A page of a user's orders, newest first; pages count from 1. */
    public record Page(List<Order> orders, int page, int size, long total) {}

    public Page page(long userId, int page, int size) {
        return new Page(orders.ofUser(userId, (page - 1L) * size, size), page, size, orders.countOfUser(userId));
    }

    private static Order known(Optional<Order> found) {
        return found.orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
    }
}
