package dev.waybill.marketplace.domain;

import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An order of one product.
 *
 * @param quantity always 1, because a product exists once
 * @param cancelReason {@code timeout} or {@code user}; null while it is not cancelled
 * @param payTime null while it is not paid
 */
public record Order(
        long id,
        String orderNo,
        long buyerId,
        long sellerId,
        long productId,
        int quantity,
        BigDecimal price,
        BigDecimal totalAmount,
        OrderStatus status,
        @Nullable String cancelReason,
        Instant createTime,
        @Nullable Instant payTime,
        Instant updateTime) {}
