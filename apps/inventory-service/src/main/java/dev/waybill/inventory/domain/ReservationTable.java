package dev.waybill.inventory.domain;

import java.util.List;
import java.util.Optional;

/** Reservations with their movements and their history. */
public interface ReservationTable {

    Optional<ReservationStatus> status(String orderNo);

    /** The status, locked until the transaction ends. */
    Optional<ReservationStatus> lock(String orderNo);

    /** Enters the order. False if somebody else had entered it before, or did so meanwhile. */
    boolean enter(String orderNo, ReservationStatus status);

    void change(String orderNo, ReservationStatus status);

    void addLines(Basket basket);

    Basket lines(String orderNo);

    Optional<Reservation> find(String orderNo);

    /** Writes down how stock moved. False if this movement was written down before. */
    boolean record(Movement movement, String bizKey, List<StockLevel> after, List<Line> lines);

    /** What was written down under this key. */
    List<Line> recorded(Movement movement, String bizKey);

    void flow(Flow flow);

    /** Why stock moved. */
    enum Movement {
        RECEIVE,
        RESERVE,
        RELEASE
    }
}
