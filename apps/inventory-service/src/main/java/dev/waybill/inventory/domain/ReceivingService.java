package dev.waybill.inventory.domain;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.InvalidFieldException;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.servicekit.RetriedTransaction;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;

/** Adds received goods to the stock, once for each receipt key. */
@Service
public class ReceivingService {

    private final StockGate gate;
    private final StockRepository stock;
    private final ReservationRepository movements;

    ReceivingService(StockGate gate, StockRepository stock, ReservationRepository movements) {
        this.gate = gate;
        this.stock = stock;
        this.movements = movements;
    }

    /**
     * Adds the line to the stock, one time per {@code receiptKey}; a repeat is answered like the first. First receipts of a new
     * SKU cannot lock a row that does not exist: the unique keys of row and receipt let one of them commit, and the others run
     * again.
     *
     * @throws RefusedException when the key stands for another receipt, or the row would hold more than it may
     */
    @RetriedTransaction
    public Receipt receive(Line line, String receiptKey) {
        StockGateSynchronization gateSynchronization =
                StockGateSynchronization.register(gate, StockGate.NOBODY, List.of());
        stock.lock(List.of(line.key())); // a repeat at the same time waits here, and then finds the movement
        Optional<Receipt> before = movements.receipt(receiptKey);
        if (before.isPresent()) {
            if (!before.get().line().equals(line)) {
                throw new RefusedException(Code.KEY_REUSED);
            }
            return before.get();
        }
        StockLevel level = stock.receive(line).orElseThrow(() -> new InvalidFieldException("quantity", "Max"));
        Receipt receipt = new Receipt(line, level.available(), level.reserved());
        movements.recordReceipt(receiptKey, receipt);
        gateSynchronization.settle(List.of(level));
        return receipt;
    }
}
