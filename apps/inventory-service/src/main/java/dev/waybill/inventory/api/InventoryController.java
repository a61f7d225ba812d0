package dev.waybill.inventory.api;

import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.inventory.domain.Limits;
import dev.waybill.inventory.domain.ReceivingService;
import dev.waybill.inventory.domain.ReceivingService.Receipt;
import dev.waybill.inventory.domain.StockKey;
import dev.waybill.inventory.domain.StockLevel;
import dev.waybill.inventory.domain.StockRepository;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Receives stock and shows it. */
@RestController
@RequestMapping("/inventory")
@Tag(name = "Stock", description = "take it in, look at it")
class InventoryController {

    private static final int LONGEST_KEY = 128;

    private final ReceivingService receiving;
    private final StockRepository stock;

    InventoryController(ReceivingService receiving, StockRepository stock) {
        this.receiving = receiving;
        this.stock = stock;
    }

    /** What there is of a SKU in a warehouse. */
    record StockView(long available, long reserved) {

        static StockView of(StockLevel level) {
            return new StockView(level.available(), level.reserved());
        }
    }

    /**
     * Takes goods in. With {@code X-Idempotency-Key} a repeat is answered like the first and adds nothing; the database
     * remembers the key when Redis does not.
     */
    @Operation(
            summary = "Take goods in",
            description = "Answers with what there is afterwards. A repeat under the same key adds nothing.")
    @PostMapping("/receive")
    @Idempotent(
            prefix = "inventory:receive",
            key = "#request.oneOff()",
            headerFirst = true,
            fingerprint = "#request",
            whenDown = Idempotent.WhenDown.FALL_THROUGH)
    public Answer<StockView> receive(
            @Valid @RequestBody ReceiveRequest request,
            @Parameter(description = "a repeat with the same key adds nothing; Idempotency-Key does too")
                    @RequestHeader(name = "X-Idempotency-Key", required = false)
                    @Nullable String ours,
            @Parameter(hidden = true) @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String draft) {
        Receipt receipt = receiving.receive(request.line(), receiptKey(request, ours == null ? draft : ours));
        if (receipt instanceof Receipt.KeyReused) {
            throw new RefusedException(Code.KEY_REUSED);
        }
        if (receipt instanceof Receipt.TooMuch) {
            throw new RefusedException(Code.BAD_INPUT);
        }
        return Answer.ok(StockView.of(
                receipt instanceof Receipt.Received received
                        ? received.level()
                        : ((Receipt.Repeated) receipt).level()));
    }

    /** The same key as the guard uses: stripped, without quotes around it. */
    private static String receiptKey(ReceiveRequest request, @Nullable String given) {
        if (given == null || given.isBlank()) {
            return request.oneOff();
        }
        String key = given.strip();
        if (key.length() >= 2 && key.startsWith("\"") && key.endsWith("\"")) {
            key = key.substring(1, key.length() - 1);
        }
        if (key.length() > LONGEST_KEY) {
            throw new RefusedException(Code.BAD_INPUT);
        }
        return key;
    }

    /** A text that cannot be a SKU is refused here: the database ignores trailing spaces and would find another SKU. */
    @Operation(summary = "What there is of a SKU in a warehouse")
    @GetMapping("/{warehouseId}/{skuId}")
    public Answer<StockView> find(@PathVariable long warehouseId, @PathVariable String skuId) {
        if (!Limits.isSku(skuId)) {
            throw new RefusedException(Code.NOT_FOUND);
        }
        return stock.find(new StockKey(warehouseId, skuId))
                .map(level -> Answer.ok(StockView.of(level)))
                .orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
    }
}
