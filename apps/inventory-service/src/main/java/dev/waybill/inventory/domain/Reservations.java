package dev.waybill.inventory.domain;

import dev.waybill.inventory.domain.ReservationTable.Movement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;

/**
 * Reserves stock for an order, all lines or none, and gives it back, each at most once per order whatever comes in which order.
 *
 * <p>Runs in the caller's transaction. The gate is asked first; the database decides, under locks on the stock's rows. If the
 * transaction does not commit, the gate's stock is given back. If the process dies in between, the repeated event finds its own
 * hold and goes on, or the hold's lease ends.
 */
@Service
public class Reservations {

    /** The gate can be emptied while it is being told; after so many tries the database goes on without it. */
    private static final int TRIES = 3;

    private final StockGate gate;
    private final StockTable stock;
    private final ReservationTable reservations;
    private final StockEvents events;
    private final Steps steps;

    Reservations(StockGate gate, StockTable stock, ReservationTable reservations, StockEvents events, Steps steps) {
        this.gate = gate;
        this.stock = stock;
        this.reservations = reservations;
        this.events = events;
        this.steps = steps;
    }

    /** An order wants this. */
    public Outcome reserve(Basket basket, Flow.Cause cause) {
        AfterCommit hook = AfterCommit.register(gate, steps, Steps.Place.DB_COMMITTED, basket.orderNo(), basket.keys());
        Optional<ReservationStatus> known = reservations.status(basket.orderNo());
        if (known.isPresent()) {
            return ignored(basket.orderNo(), known.get(), cause);
        }
        boolean held = admitted(basket);
        if (held) {
            steps.reached(Steps.Place.GATE_RESERVED);
        }
        // The gate's no counts only if the rows say the same; they need no lock for that.
        List<ShortItem> missing = held ? List.of() : shortItems(basket, stock.read(basket.keys()));
        if (!reservations.enter(basket.orderNo(), ReservationStatus.RESERVED)) {
            return ignored(basket.orderNo(), reservations.lock(basket.orderNo()).orElseThrow(), cause);
        }
        if (!missing.isEmpty()) {
            return refuse(basket, missing, cause);
        }
        List<StockLevel> before = stock.lock(basket.keys());
        missing = shortItems(basket, before);
        return missing.isEmpty() ? take(basket, before, cause, hook) : refuse(basket, missing, cause);
    }

    private boolean admitted(Basket basket) {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            Admission admission = gate.tryReserve(basket);
            if (!(admission instanceof Admission.Unknown unknown)) {
                return admission instanceof Admission.Held;
            }
            List<StockLevel> levels = stock.read(unknown.keys());
            if (levels.size() < unknown.keys().size()) {
                return false; // there is no such stock at all
            }
            gate.learn(levels);
        }
        return false;
    }

    private Outcome take(Basket basket, List<StockLevel> before, Flow.Cause cause, AfterCommit hook) {
        stock.reserve(basket.lines());
        reservations.addLines(basket);
        List<StockLevel> after = moved(before, basket, 1);
        reservations.record(Movement.RESERVE, basket.orderNo(), after, basket.lines());
        reservations.flow(new Flow(basket.orderNo(), null, ReservationStatus.RESERVED, cause, null));
        events.reserved(basket);
        hook.settle(after);
        steps.reached(Steps.Place.DB_WRITTEN);
        return new Outcome.Reserved(basket);
    }

    private Outcome refuse(Basket basket, List<ShortItem> missing, Flow.Cause cause) {
        reservations.change(basket.orderNo(), ReservationStatus.FAILED);
        reservations.flow(new Flow(basket.orderNo(), null, ReservationStatus.FAILED, cause, null));
        events.refused(basket.orderNo(), missing);
        return new Outcome.Refused(missing);
    }

    /** The order is cancelled. */
    public Outcome release(String orderNo, Flow.Cause cause) {
        Optional<ReservationStatus> known = reservations.lock(orderNo);
        if (known.isEmpty() && reservations.enter(orderNo, ReservationStatus.CANCELED)) {
            reservations.flow(new Flow(orderNo, null, ReservationStatus.CANCELED, cause, null));
            return new Outcome.Tombstone();
        }
        // It may have been entered between the two statements; then it is there now, and committed.
        ReservationStatus status = known.or(() -> reservations.lock(orderNo)).orElseThrow();
        return status == ReservationStatus.RESERVED
                ? giveBack(reservations.lines(orderNo), cause)
                : ignored(orderNo, status, cause);
    }

    private Outcome giveBack(Basket basket, Flow.Cause cause) {
        AfterCommit hook =
                AfterCommit.register(gate, steps, Steps.Place.RELEASE_COMMITTED, basket.orderNo(), basket.keys());
        List<StockLevel> before = stock.lock(basket.keys());
        stock.release(basket.lines());
        reservations.change(basket.orderNo(), ReservationStatus.RELEASED);
        List<StockLevel> after = moved(before, basket, -1);
        reservations.record(Movement.RELEASE, basket.orderNo(), after, basket.lines());
        reservations.flow(
                new Flow(basket.orderNo(), ReservationStatus.RESERVED, ReservationStatus.RELEASED, cause, null));
        hook.settle(after);
        return new Outcome.Released(basket);
    }

    private Outcome ignored(String orderNo, ReservationStatus status, Flow.Cause cause) {
        String reason = "STATUS_" + status;
        reservations.flow(new Flow(orderNo, status, status, cause, reason));
        return new Outcome.Ignored(reason);
    }

    private static List<ShortItem> shortItems(Basket basket, List<StockLevel> levels) {
        Map<StockKey, StockLevel> byKey = byKey(levels);
        List<ShortItem> missing = new ArrayList<>();
        for (Line line : basket.lines()) {
            StockLevel level = byKey.get(line.key());
            long available = level == null ? 0 : level.available();
            if (available < line.quantity()) {
                missing.add(ShortItem.of(line, available));
            }
        }
        return missing;
    }

    private static List<StockLevel> moved(List<StockLevel> before, Basket basket, int direction) {
        Map<StockKey, Long> quantities = basket.lines().stream().collect(Collectors.toMap(Line::key, Line::quantity));
        return before.stream()
                .map(level -> level.afterReserving(direction * quantities.getOrDefault(level.key(), 0L)))
                .toList();
    }

    private static Map<StockKey, StockLevel> byKey(List<StockLevel> levels) {
        return levels.stream().collect(Collectors.toMap(StockLevel::key, Function.identity()));
    }
}
