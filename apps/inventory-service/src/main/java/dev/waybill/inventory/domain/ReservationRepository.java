package dev.waybill.inventory.domain;

import java.util.List;
import java.util.Optional;

/** Stores reservations, the movements of stock, and the history of both. Every call joins the caller's transaction. */
public interface ReservationRepository {

    Optional<ReservationStatus> status(String orderNo);

    /** The status, locked until the transaction ends. */
    Optional<ReservationStatus> lock(String orderNo);

    /** Inserts the order's row. False if there is one already, or another transaction inserted it meanwhile. */
    boolean insert(String orderNo, ReservationStatus status);

    void change(String orderNo, ReservationStatus status);

    void addLines(OrderLines order);

    OrderLines lines(String orderNo);

    Optional<Reservation> find(String orderNo);

    /** Stores a movement of stock. False if it was stored before. */
    boolean record(Movement movement, String bizKey, List<StockLevel> after, List<Line> lines);

    /** The movement that was stored under this key. */
    List<Line> recorded(Movement movement, String bizKey);

    void record(StateChange change);

    /** Why stock moved. */
    enum Movement {
        RECEIVE,
        RESERVE,
        RELEASE
    }
}
