package dev.waybill.order.api;

import org.jspecify.annotations.Nullable;

/** The body of a cancel, for callers that send no {@code X-Idempotency-Key}. */
record CancelOrder(@Nullable String clientRequestId) {}
