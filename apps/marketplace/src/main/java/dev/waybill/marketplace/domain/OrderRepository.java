package dev.waybill.marketplace.domain;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Stores orders. Writes belong to the caller's transaction. */
public interface OrderRepository {

    /** An order before it is stored. */
    record Draft(String orderNo, long buyerId, Product product, BigDecimal totalAmount, Instant createTime) {}

    /** Stores a pending order; the table generates its id. */
    Order insert(Draft draft);

    Optional<Order> find(long id);

    /** Reads the newest state and locks the row until this transaction ends. */
    Optional<Order> findAndLock(long id);

    /** Whether the order was still in that status and is now in the other one. */
    boolean move(long id, OrderStatus from, OrderStatus to, Instant now);

    /** Whether the order was still pending and is cancelled now. */
    boolean cancel(long id, String reason, Instant now);

    /** Whether the order was still pending, created at or before the deadline, and is cancelled now. */
    boolean closeOverdue(long id, Instant deadline, Instant now);

    /** Ids of pending orders created at or before the deadline, greater than this id, ascending. */
    List<Long> overdue(Instant deadline, long afterId, int limit);
}
