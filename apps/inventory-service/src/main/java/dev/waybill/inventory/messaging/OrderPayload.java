package dev.waybill.inventory.messaging;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.waybill.inventory.domain.Limits;
import dev.waybill.inventory.domain.Line;
import dev.waybill.inventory.domain.OrderLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The fields of OrderCreated and OrderCanceled that this service needs. */
@JsonIgnoreProperties(ignoreUnknown = true)
record OrderPayload(@Nullable String orderNo, @Nullable List<@Nullable Item> items) {

    private static final long DEFAULT_WAREHOUSE = 1;

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Item(@Nullable Long warehouseId, @Nullable String skuId, long quantity) {}

    /** The order number, unless it is missing or not valid. */
    Optional<String> validOrderNo() {
        return Optional.ofNullable(orderNo).filter(Limits::isOrderNo);
    }

    /** The order's lines; empty when the order number or a line is missing or not valid. */
    Optional<OrderLines> lines() {
        List<@Nullable Item> wanted = items;
        if (validOrderNo().isEmpty() || wanted == null || wanted.isEmpty() || wanted.size() > Limits.LINES) {
            return Optional.empty();
        }
        List<Line> lines = new ArrayList<>();
        for (Item item : wanted) {
            String skuId = item == null ? null : item.skuId();
            if (item == null || skuId == null || !Limits.isSku(skuId) || !Limits.isQuantity(item.quantity())) {
                return Optional.empty();
            }
            Long warehouse = item.warehouseId();
            lines.add(new Line(warehouse == null ? DEFAULT_WAREHOUSE : warehouse, skuId, item.quantity()));
        }
        return validOrderNo().map(number -> new OrderLines(number, lines));
    }
}
