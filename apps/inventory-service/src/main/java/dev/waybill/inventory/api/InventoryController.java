package dev.waybill.inventory.api;

import static java.util.Objects.requireNonNull;

import dev.waybill.guard.idempotent.IdempotencyKey;
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
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
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
            description = "Answers with what there is afterwards. A repeat under the same key, in X-Idempotency-Key or"
                    + " Idempotency-Key, adds nothing.")
    @Tag(name = "Stock", description = "take it in, look at it")
    @PostMapping("/inventory/receive")
    @Idempotent(prefix = "inventory:receive", fingerprint = "#request", whenDown = Idempotent.WhenDown.FALL_THROUGH)
    public Answer<StockView> receive(@Valid @RequestBody ReceiveRequest request, HttpServletRequest http) {
        String key = requireNonNull(IdempotencyKey.fromHeader(http)); // the guard has refused a request without one
        Receipt receipt = receiving.receive(request.line(), key);
        return Answer.ok(new StockView(receipt.available(), receipt.reserved()));
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
