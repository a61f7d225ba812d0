package dev.waybill.marketplace.domain;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The frozen payloads of the four events. Every field of a received payload may be missing until it was checked. */
public final class OrderPayloads {

    private OrderPayloads() {}

    /** The fields that every payload has. */
    public interface OfOrder {
        @Nullable Long orderId();

        @Nullable String orderNo();
    }

    /** ORDER_CREATED. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Created(
            @Nullable Long orderId,
            @Nullable String orderNo,
            @Nullable Long buyerId,
            @Nullable Long sellerId,
            @Nullable Long productId,
            @Nullable Integer quantity,
            @Nullable BigDecimal price,
            @Nullable BigDecimal totalAmount)
            implements OfOrder {}

    /** ORDER_PAID. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Paid(
            @Nullable Long orderId,
            @Nullable String orderNo,
            @Nullable Instant payTime,
            @Nullable BigDecimal amount) implements OfOrder {}

    /** ORDER_STATUS_CHANGED. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record StatusChanged(
            @Nullable Long orderId,
            @Nullable String orderNo,
            @Nullable String oldStatus,
            @Nullable String newStatus,
            @Nullable Instant changedAt)
            implements OfOrder {}

    /** ORDER_TIMEOUT. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Timeout(
            @Nullable Long orderId,
            @Nullable String orderNo,
            @Nullable Instant createTime) implements OfOrder {}
}
