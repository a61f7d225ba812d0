package dev.waybill.order.domain;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Stores orders. Every call joins the caller's transaction; reads see what others have committed. */
public interface OrderRepository {

    Optional<Order> find(String orderNo);

    /** Reads the newest state and locks the row until this transaction ends. */
    Optional<Order> findAndLock(String orderNo);

    /** The order that the same request of this user created before. */
    Optional<Order> findByRequest(long userId, String clientRequestId);

    /**
     * Writes a new order with its items.
     *
     * @throws org.springframework.dao.DuplicateKeyException when the request or the number is taken
     */
    void insert(Order order, String clientRequestId);

    /** Compare and set: whether the order still had the status {@code from} and has {@code to} now. */
    boolean move(String orderNo, OrderStatus from, OrderStatus to, Instant now);

    void record(String orderNo, StateChange change);

    List<StateChange> history(String orderNo);

    /** A user's orders, newest first. */
    List<Order> ofUser(long userId, long offset, int limit);

    long countOfUser(long userId);
}
