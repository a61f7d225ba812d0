package dev.waybill.order.domain;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Where orders are kept. Every call joins the caller's transaction; reads see what others have committed. */
public interface OrderBook {

    Optional<Order> find(String orderNo);

    /** Reads the newest state, and nobody else changes it before this transaction ends. */
    Optional<Order> findAndLock(String orderNo);

    /** The order that this request of the user's has made before. */
    Optional<Order> findByRequest(long userId, String clientRequestId);

    /**
     * Writes a new order with its items.
     *
     * @throws org.springframework.dao.DuplicateKeyException when the request or the number is taken
     */
    void insert(Order order, String clientRequestId);

    /** Compare and set: moves the order if it still stands where the caller believes, and tells whether it did. */
    boolean move(String orderNo, OrderStatus from, OrderStatus to, Instant now);

    void record(String orderNo, StateChange change);

    List<StateChange> history(String orderNo);

    /** A user's orders, newest first. */
    List<Order> ofUser(long userId, long offset, int limit);

    long countOfUser(long userId);
}
