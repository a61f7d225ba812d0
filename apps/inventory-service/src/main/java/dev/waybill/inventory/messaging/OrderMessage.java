package dev.waybill.inventory.messaging;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.waybill.inventory.domain.Basket;
import dev.waybill.inventory.domain.Limits;
import dev.waybill.inventory.domain.Line;
import dev.waybill.inventory.domain.StockKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The part of OrderCreated and OrderCanceled that matters here; what else they carry is the order service's. */
@JsonIgnoreProperties(ignoreUnknown = true)
record OrderMessage(@Nullable String orderNo, @Nullable List<@Nullable Item> items) {

    private static final long DEFAULT_WAREHOUSE = 1;

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Item(@Nullable Long warehouseId, @Nullable String skuId, long quantity) {}

    /** The order's number, if it is one. */
    Optional<String> order() {
        return Optional.ofNullable(orderNo).filter(Limits::isOrderNo);
    }

    /** What the order wants; empty where a line is not one. */
    Optional<Basket> basket() {
        List<@Nullable Item> wanted = items;
        if (order().isEmpty() || wanted == null || wanted.isEmpty() || wanted.size() > Limits.LINES) {
            return Optional.empty();
        }
        List<Line> lines = new ArrayList<>();
        for (Item item : wanted) {
            String skuId = item == null ? null : item.skuId();
            if (item == null || skuId == null || !Limits.isSku(skuId) || !Limits.isQuantity(item.quantity())) {
                return Optional.empty();
            }
            Long warehouse = item.warehouseId();
            lines.add(
                    new Line(new StockKey(warehouse == null ? DEFAULT_WAREHOUSE : warehouse, skuId), item.quantity()));
        }
        return order().map(number -> new Basket(number, lines));
    }
}
