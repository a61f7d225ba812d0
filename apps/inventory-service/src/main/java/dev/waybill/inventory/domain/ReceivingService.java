package dev.waybill.inventory.domain;

import dev.waybill.inventory.domain.ReservationRepository.Movement;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Adds received goods to the stock, once for each receipt key. */
@Service
public class ReceivingService {

    private static final int RETRIES = 4;

    private final StockGate gate;
    private final StockRepository stock;
    private final ReservationRepository movements;
    private final InventoryCheckpoints checkpoints;

    ReceivingService(
            StockGate gate, StockRepository stock, ReservationRepository movements, InventoryCheckpoints checkpoints) {
        this.gate = gate;
        this.stock = stock;
        this.movements = movements;
        this.checkpoints = checkpoints;
    }

    /** What became of a receipt. */
    public sealed interface Receipt {

        record Received(StockLevel level) implements Receipt {}

        /** The same receipt again: the level as it is now. */
        record Repeated(StockLevel level) implements Receipt {}

        /** The key stands for another receipt. */
        record KeyReused() implements Receipt {}

        /** More than a row may hold. */
        record TooMuch() implements Receipt {}
    }

    /**
     * Adds the line to the stock, one time per {@code receiptKey}. When another transaction won a race against this one, it runs
     * again: first receipts of a new SKU cannot lock a row that does not exist, so the database ends their deadlocks.
     */
    @Retryable(includes = ConcurrencyFailureException.class, maxRetries = RETRIES, delay = 0)
    @Transactional
    public Receipt receive(Line line, String receiptKey) {
        StockGateSynchronization gateSynchronization = StockGateSynchronization.register(
                gate, checkpoints, InventoryCheckpoints.Place.RECEIPT_COMMITTED, StockGate.NOBODY, List.of());
        stock.lock(List.of(line.key())); // a repeat at the same time waits here, and then finds the movement
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
        // A row that does not exist yet cannot be locked, so two first receipts of one key get here together. The
        // movement's unique key lets one of them commit; the other finds it when it runs again.
        if (!movements.record(Movement.RECEIVE, receiptKey, List.of(level.get()), List.of(line))) {
            throw new ConcurrencyFailureException("the receipt was recorded by another transaction meanwhile");
        }
        gateSynchronization.settle(List.of(level.get()));
        return new Receipt.Received(level.get());
    }
}
