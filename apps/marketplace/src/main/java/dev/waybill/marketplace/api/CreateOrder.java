package dev.waybill.marketplace.api;

import org.jspecify.annotations.Nullable;

/** The body of {@code POST /orders}. Every field may be missing until it was checked. */
record CreateOrder(@Nullable Long buyerId, @Nullable Long productId) {}
