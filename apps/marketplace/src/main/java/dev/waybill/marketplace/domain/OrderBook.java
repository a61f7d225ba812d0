package dev.waybill.marketplace.domain;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Orders, stored. Writes belong to the caller's transaction. */
public interface OrderBook {

    /** An order that was never stored. */
    record Draft(String orderNo, long buyerId, Product product, BigDecimal totalAmount, Instant createTime) {}

    /** A pending order; its id is made by the table. */
    Order insert(Draft draft);

    Optional<Order> find(long id);

    /** As it is now, whatever this transaction read before; and it stays so until this transaction ends. */
    Optional<Order> findAndLock(long id);

    /** Whether the order was still in that status and is now in the other one. */
    boolean move(long id, OrderStatus from, OrderStatus to, Instant now);

    /** Whether the order was still pending and is cancelled now. */
    boolean cancel(long id, String reason, Instant now);

    /** Whether the order was still pending, created at or before the deadline, and is cancelled now. */
    boolean closeOverdue(long id, Instant deadline, Instant now);

    /** Ids of pending orders created at or before the deadline, behind this id, in the order of their ids. */
    List<Long> overdue(Instant deadline, long afterId, int limit);
}
