package dev.waybill.order.api;

import dev.waybill.order.domain.Item;
import dev.waybill.order.domain.NewOrder;
import dev.waybill.order.domain.OrderItems;
import dev.waybill.order.domain.Validation;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /orders}. Every field may be missing until it was checked. */
record CreateOrder(
        @Nullable String clientRequestId,
        @Nullable Long userId,
        @Nullable List<@Nullable Line> items) {

    private static final long FIRST_WAREHOUSE = 1;

    /** One line; the first warehouse where none is named. */
    record Line(
            @Schema(oneOf = {String.class, Long.class}) @Nullable Object skuId,

            @Nullable Long warehouseId,
            @Nullable Integer quantity,
            @Nullable BigDecimal price) {

        Item checked(String name) {
            return new Item(
                    sku(name + ".skuId", Validation.present(name + ".skuId", skuId)),
                    warehouseId == null ? FIRST_WAREHOUSE : warehouseId,
                    Validation.present(name + ".quantity", quantity),
                    Validation.present(name + ".price", price));
        }

        /** SKUs are texts; a whole number is taken for one. */
        private static String sku(String name, Object given) {
            Validation.require(given instanceof String || isWhole(given), name, "a text or a number");
            return given.toString();
        }

        private static boolean isWhole(Object given) {
            return (given instanceof Integer || given instanceof Long) && ((Number) given).longValue() > 0;
        }
    }

    /** What makes two creates the same request, with its defaults, whatever the order of the lines. */
    public Meaning meaning() {
        NewOrder order = checked();
        return new Meaning(
                order.userId(), order.clientRequestId(), order.items().inOneOrder());
    }

    /** Who orders what under which id. */
    record Meaning(long userId, String clientRequestId, List<Item> items) {}

    NewOrder checked() {
        List<@Nullable Line> lines = Validation.present("items", items);
        Validation.within("items", lines.size(), 1, OrderItems.MOST_LINES);
        List<Item> checked = new ArrayList<>(lines.size());
        for (int i = 0; i < lines.size(); i++) {
            String name = "items[" + i + "]";
            checked.add(Validation.present(name, lines.get(i)).checked(name));
        }
        return new NewOrder(
                Validation.present("userId", userId),
                Validation.present("clientRequestId", clientRequestId),
                new OrderItems(checked));
    }
}
