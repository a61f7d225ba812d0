package dev.waybill.inventory.api;

import dev.waybill.inventory.domain.Limits;
import dev.waybill.inventory.domain.Line;
import dev.waybill.inventory.domain.StockKey;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.util.UUID;

/** Goods that arrived. */
public record ReceiveRequest(
        @NotNull @Min(1) Long warehouseId,
        @NotNull @Pattern(regexp = Limits.SKU) String skuId,
        @NotNull @Min(1) @Max(Limits.QUANTITY) Long quantity) {

    Line line() {
        return new Line(new StockKey(warehouseId, skuId), quantity);
    }

    /** A random key for a request that brought none, so that it is never taken for a repeat. */
    public String oneOff() {
        return "one-off:" + UUID.randomUUID();
    }
}
