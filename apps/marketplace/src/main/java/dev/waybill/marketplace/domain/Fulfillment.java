package dev.waybill.marketplace.domain;

import java.time.Instant;

/** The seller has been asked to ship the product. */
public record Fulfillment(long orderId, String eventId, String status, Instant createTime) {

    public static final String STARTED = "started";
}
