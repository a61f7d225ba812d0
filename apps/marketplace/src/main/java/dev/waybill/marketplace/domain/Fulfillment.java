package dev.waybill.marketplace.domain;

import java.time.Instant;

/**
 * An order that was paid and is the seller's to ship. Every order that has been paid gets one, also one that was shipped before
 * its payment's event arrived.
 *
 * @param status {@code started}, or {@code shipped} once the order is
 */
public record Fulfillment(long orderId, String eventId, String status, Instant createTime) {}
