package dev.waybill.inventory.api;

import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.inventory.domain.Limits;
import dev.waybill.inventory.domain.Receipt;
import dev.waybill.inventory.domain.ReceivingService;
import dev.waybill.inventory.domain.Reservation;
import dev.waybill.inventory.domain.ReservationRepository;
import dev.waybill.inventory.domain.StockKey;
import dev.waybill.inventory.domain.StockRepository;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Receives stock, shows it, and shows what became of an order here. */
@RestController
class InventoryController {

    private final ReceivingService receiving;
    private final StockRepository stock;
    private final ReservationRepository reservations;

    InventoryController(ReceivingService receiving, StockRepository stock, ReservationRepository reservations) {
        this.receiving = receiving;
        this.stock = stock;
        this.reservations = reservations;
    }

    /** What there is of a SKU in a warehouse. */
    record StockView(long available, long reserved) {}

    /** Takes goods in. A repeat is answered like the first and adds nothing; the database remembers the key when Redis does not. */
    @Operation(
            summary = "Take goods in",
            description = "Answers with what there is afterwards. A repeat under the same key adds nothing.")
    @Tag(name = "Stock", description = "take it in, look at it")
    @PostMapping("/inventory/receive")
    @Idempotent(prefix = "inventory:receive", fingerprint = "#request", whenDown = Idempotent.WhenDown.FALL_THROUGH)
    public Answer<StockView> receive(
            @Valid @RequestBody ReceiveRequest request,
            @Parameter(description = "names the receipt; Idempotency-Key does too, one of them is required")
                    @RequestHeader(name = "X-Idempotency-Key", required = false)
                    @Nullable String ours,
            @Parameter(hidden = true) @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String draft) {
        Receipt receipt = receiving.receive(request.line(), receiptKey(ours, draft));
        return Answer.ok(new StockView(receipt.available(), receipt.reserved()));
    }

    /** The same key as the guard has checked: stripped, without quotes around it. */
    private static String receiptKey(@Nullable String ours, @Nullable String draft) {
        String given = ours == null || ours.isBlank() ? draft : ours;
        if (given == null) {
            throw new RefusedException(Code.KEY_MISSING);
        }
        String key = given.strip();
        return key.length() >= 2 && key.startsWith("\"") && key.endsWith("\"")
                ? key.substring(1, key.length() - 1)
                : key;
    }

    /** A text that cannot be a SKU is refused here: the database ignores trailing spaces and would find another SKU. */
    @Operation(summary = "What there is of a SKU in a warehouse")
    @Tag(name = "Stock", description = "take it in, look at it")
    @GetMapping("/inventory/{warehouseId}/{skuId}")
    public Answer<StockView> find(@PathVariable long warehouseId, @PathVariable String skuId) {
        return Optional.of(new StockKey(warehouseId, skuId))
                .filter(key -> Limits.isSku(key.skuId()))
                .flatMap(stock::find)
                .map(level -> Answer.ok(new StockView(level.available(), level.reserved())))
                .orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
    }

    @Operation(
            summary = "An order's reservation",
            description = "RESERVED, RELEASED, FAILED for want of stock, or CANCELED when the cancel came first.")
    @Tag(name = "Reservations", description = "what became of an order here")
    @GetMapping("/reservations/{orderNo}")
    public Answer<Reservation> reservation(@PathVariable String orderNo) {
        return Optional.of(orderNo)
                .filter(Limits::isOrderNo)
                .flatMap(reservations::find)
                .map(Answer::ok)
                .orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
    }
}
