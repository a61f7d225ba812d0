package dev.waybill.inventory.domain;

import dev.waybill.inventory.domain.ReservationRepository.Movement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Reserves stock for an order, all lines or none, and releases it, each at most once for an order, in whatever sequence the
 * events come.
 *
 * <p>Joins the caller's transaction. The gate is asked first; the database decides, under locks on the stock's rows. If the
 * transaction does not commit, the gate's hold is dropped. If the process dies in between, the redelivered event finds its own
 * hold and goes on, or the hold's lease ends.
 */
@Service
public class ReservationService {

    /** Redis may be flushed again while the gate is given the levels. After so many tries the rows alone decide. */
    private static final int TRIES = 3;

    private final StockGate gate;
    private final StockRepository stock;
    private final ReservationRepository reservations;
    private final StockEventPublisher publisher;

    ReservationService(
            StockGate gate, StockRepository stock, ReservationRepository reservations, StockEventPublisher publisher) {
        this.gate = gate;
        this.stock = stock;
        this.reservations = reservations;
        this.publisher = publisher;
    }

    /** Handles OrderCreated. */
    @Transactional
    public ReservationResult reserve(OrderLines order, Cause cause) {
        StockGateSynchronization gateSynchronization =
                StockGateSynchronization.register(gate, order.orderNo(), order.keys());
        Optional<ReservationStatus> known = reservations.status(order.orderNo());
        if (known.isPresent()) {
            return ignored(order.orderNo(), known.get(), cause);
        }
        boolean held = hold(order);
        // The gate's refusal counts only if the rows agree. Reading them without a lock is enough to refuse.
        List<ShortItem> missing = held ? List.of() : shortItems(order, stock.read(order.keys()));
        if (!reservations.insert(order.orderNo(), ReservationStatus.RESERVED)) {
            return ignored(order.orderNo(), reservations.lock(order.orderNo()).orElseThrow(), cause);
        }
        if (!missing.isEmpty()) {
            return refuse(order, missing, cause);
        }
        List<StockLevel> before = stock.lock(order.keys());
        missing = shortItems(order, before);
        return missing.isEmpty() ? take(order, before, cause, gateSynchronization) : refuse(order, missing, cause);
    }

    private boolean hold(OrderLines order) {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            HoldResult result = gate.tryReserve(order);
            if (!(result instanceof HoldResult.Unknown unknown)) {
                return result instanceof HoldResult.Held;
            }
            List<StockLevel> levels = stock.read(unknown.keys());
            if (levels.size() < unknown.keys().size()) {
                return false; // there is no such stock at all
            }
            gate.learn(levels);
        }
        return false;
    }

    private ReservationResult take(
            OrderLines order, List<StockLevel> before, Cause cause, StockGateSynchronization gateSynchronization) {
        reservations.addLines(order);
        stock.reserve(order);
        reservations.recordMovement(Movement.RESERVE, order.orderNo());
        reservations.record(order.orderNo(), null, ReservationStatus.RESERVED, cause, null);
        publisher.reserved(order);
        gateSynchronization.settle(moved(before, order, 1));
        return new ReservationResult.Reserved(order);
    }

    private ReservationResult refuse(OrderLines order, List<ShortItem> missing, Cause cause) {
        reservations.change(order.orderNo(), ReservationStatus.FAILED);
        reservations.record(order.orderNo(), null, ReservationStatus.FAILED, cause, null);
        publisher.refused(order.orderNo(), missing);
        return new ReservationResult.Refused(missing);
    }

    /** Handles OrderCanceled. */
    @Transactional
    public ReservationResult release(String orderNo, Cause cause) {
        Optional<ReservationStatus> known = reservations.lock(orderNo);
        if (known.isEmpty() && reservations.insert(orderNo, ReservationStatus.CANCELED)) {
            reservations.record(orderNo, null, ReservationStatus.CANCELED, cause, null);
            return new ReservationResult.Tombstone();
        }
        // Another transaction may have inserted the row between the two statements. It has committed, so it is found.
        ReservationStatus status = known.or(() -> reservations.lock(orderNo)).orElseThrow();
        return status == ReservationStatus.RESERVED
                ? giveBack(reservations.lines(orderNo), cause)
                : ignored(orderNo, status, cause);
    }

    private ReservationResult giveBack(OrderLines order, Cause cause) {
        StockGateSynchronization gateSynchronization =
                StockGateSynchronization.register(gate, order.orderNo(), order.keys());
        List<StockLevel> before = stock.lock(order.keys());
        stock.release(order);
        reservations.change(order.orderNo(), ReservationStatus.RELEASED);
        reservations.recordMovement(Movement.RELEASE, order.orderNo());
        reservations.record(order.orderNo(), ReservationStatus.RESERVED, ReservationStatus.RELEASED, cause, null);
        gateSynchronization.settle(moved(before, order, -1));
        return new ReservationResult.Released(order);
    }

    private ReservationResult ignored(String orderNo, ReservationStatus status, Cause cause) {
        String reason = "STATUS_" + status;
        reservations.record(orderNo, status, status, cause, reason);
        return new ReservationResult.Ignored(reason);
    }

    private static List<ShortItem> shortItems(OrderLines order, List<StockLevel> levels) {
        Map<StockKey, Long> available =
                levels.stream().collect(Collectors.toMap(StockLevel::key, StockLevel::available));
        return order.items().stream()
                .map(line -> ShortItem.of(line, available.getOrDefault(line.key(), 0L)))
                .filter(item -> item.available() < item.requested())
                .toList();
    }

    private static List<StockLevel> moved(List<StockLevel> before, OrderLines order, int direction) {
        Map<StockKey, Long> quantities = order.items().stream().collect(Collectors.toMap(Line::key, Line::quantity));
        return before.stream()
                .map(level -> level.afterReserving(direction * quantities.getOrDefault(level.key(), 0L)))
                .toList();
    }
}
