package dev.waybill.inventory.api;

import dev.waybill.inventory.domain.Limits;
import dev.waybill.inventory.domain.Line;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;

/** Goods that arrived. */
public record ReceiveRequest(
        @NotNull @Min(1) Long warehouseId,
        @NotNull @Pattern(regexp = Limits.SKU) String skuId,
        @NotNull @Min(1) @Max(Limits.QUANTITY) Long quantity) {

    Line line() {
        return new Line(warehouseId, skuId, quantity);
    }
}
