package dev.waybill.marketplace.domain;

import java.math.BigDecimal;
import java.time.Instant;

/** A product, which exists once. */
public record Product(
        long id, long sellerId, String title, BigDecimal price, ProductStatus status, Instant createTime) {}
