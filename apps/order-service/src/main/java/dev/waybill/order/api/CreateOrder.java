package dev.waybill.order.api;

import dev.waybill.guard.idempotent.IdempotencyKey;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.InvalidFieldException;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.order.domain.Item;
import dev.waybill.order.domain.NewOrder;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /orders}. The largest numbers are such that the sum fits its column. */
record CreateOrder(
        @Pattern(regexp = "[!-~]{0,128}", message = "1 to 128 visible ASCII characters") @Nullable String clientRequestId,

        @NotNull @Positive Long userId,
        @NotNull @Size(min = 1, max = MOST_LINES) List<@NotNull @Valid Line> items) {

    static final int MOST_LINES = 200;
    static final int MOST_OF_ONE = 999_999;
    static final String HIGHEST_PRICE = "9999999.99";

    /** One line; the first warehouse where none is named. SKUs are texts; a whole number is taken for one. */
    record Line(
            @Schema(oneOf = {String.class, Long.class}) @NotNull Object skuId,

            @Positive @Nullable Long warehouseId,
            @NotNull @Min(1) @Max(MOST_OF_ONE) Integer quantity,

            @NotNull @DecimalMin("0") @DecimalMax(HIGHEST_PRICE) BigDecimal price) {

        private static final java.util.regex.Pattern SKU = java.util.regex.Pattern.compile("[A-Za-z0-9._-]{1,64}");
        private static final long FIRST_WAREHOUSE = 1;

        private Item item(String name) {
            boolean text = skuId instanceof String;
            boolean whole = (skuId instanceof Integer || skuId instanceof Long) && ((Number) skuId).longValue() > 0;
            if (!(text || whole) || !SKU.matcher(skuId.toString()).matches()) {
                throw new InvalidFieldException(
                        name + ".skuId", "1 to 64 letters, digits, dots, dashes, underscores, or a whole number");
            }
            if (price.stripTrailingZeros().scale() > Item.DECIMALS) {
                throw new InvalidFieldException(name + ".price", "two decimals");
            }
            return new Item(
                    skuId.toString(),
                    warehouseId == null ? FIRST_WAREHOUSE : warehouseId,
                    quantity,
                    price.setScale(Item.DECIMALS));
        }
    }

    /** The order that is asked for, under the body's id, or else under the key in the request's header. */
    public NewOrder wanted(HttpServletRequest request) {
        String id = clientRequestId == null || clientRequestId.isEmpty()
                ? IdempotencyKey.fromHeader(request)
                : clientRequestId;
        if (id == null) {
            throw new RefusedException(Code.KEY_MISSING);
        }
        List<Item> lines = IntStream.range(0, items.size())
                .mapToObj(i -> items.get(i).item("items[" + i + "]"))
                .toList();
        return new NewOrder(userId, id, lines);
    }
}
