package dev.waybill.marketplace.domain;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The four events and their frozen payloads. Every field of a received payload may be missing until it was checked. */
public final class OrderEvents {

    public static final String ORDER_CREATED = "ORDER_CREATED";
    public static final String ORDER_PAID = "ORDER_PAID";
    public static final String ORDER_STATUS_CHANGED = "ORDER_STATUS_CHANGED";
    public static final String ORDER_TIMEOUT = "ORDER_TIMEOUT";

    /** What all of them happen to. */
    public static final String AGGREGATE = "Order";

    private OrderEvents() {}

    /** The fields that every payload has. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public interface OfOrder {
        @Nullable Long orderId();

        @Nullable String orderNo();
    }

    /** ORDER_CREATED. */
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
    public record Paid(
            @Nullable Long orderId,
            @Nullable String orderNo,
            @Nullable Instant payTime,
            @Nullable BigDecimal amount) implements OfOrder {}

    /** ORDER_STATUS_CHANGED. */
    public record StatusChanged(
            @Nullable Long orderId,
            @Nullable String orderNo,
            @Nullable String oldStatus,
            @Nullable String newStatus,
            @Nullable Instant changedAt)
            implements OfOrder {}

    /** ORDER_TIMEOUT. */
    public record Timeout(
            @Nullable Long orderId,
            @Nullable String orderNo,
            @Nullable Instant createTime) implements OfOrder {}
}
