package dev.waybill.marketplace.api;

import jakarta.validation.constraints.Positive;

/** The body of {@code POST /orders}. What is missing is 0, and refused. */
record CreateOrder(@Positive long buyerId, @Positive long productId) {}
