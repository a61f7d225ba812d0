package dev.waybill.inventory.domain;

import dev.waybill.inventory.domain.ReservationTable.Movement;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Takes goods in, once per key of the delivery. */
@Service
public class Receiving {

    private final StockGate gate;
    private final StockTable stock;
    private final ReservationTable movements;
    private final Steps steps;

    Receiving(StockGate gate, StockTable stock, ReservationTable movements, Steps steps) {
        this.gate = gate;
        this.stock = stock;
        this.movements = movements;
        this.steps = steps;
    }

    /** What a receipt came to. */
    public sealed interface Receipt {

        record Received(StockLevel level) implements Receipt {}

        /** The same receipt again: the level as it is now. */
        record Repeated(StockLevel level) implements Receipt {}

        /** The key stands for another receipt. */
        record KeyReused() implements Receipt {}

        /** More than a row may hold. */
        record TooMuch() implements Receipt {}
    }

    /** Adds the line to the stock, one time per {@code receiptKey}. */
    @Transactional
    public Receipt receive(Line line, String receiptKey) {
        AfterCommit hook =
                AfterCommit.register(gate, steps, Steps.Place.RECEIPT_COMMITTED, StockGate.NOBODY, List.of());
        stock.lock(List.of(line.key())); // a second copy waits here, and then finds the movement
        List<Line> before = movements.recorded(Movement.RECEIVE, receiptKey);
        if (!before.isEmpty()) {
            return before.equals(List.of(line))
                    ? new Receipt.Repeated(stock.find(line.key()).orElseThrow())
                    : new Receipt.KeyReused();
        }
        Optional<StockLevel> level = stock.receive(line);
        if (level.isEmpty()) {
            return new Receipt.TooMuch();
        }
        // Only two first receipts of a new row get here together; the movement's unique key lets one of them through.
        if (!movements.record(Movement.RECEIVE, receiptKey, List.of(level.get()), List.of(line))) {
            throw new IllegalStateException("receipt " + receiptKey + " was recorded by somebody else meanwhile");
        }
        hook.settle(List.of(level.get()));
        return new Receipt.Received(level.get());
    }
}
