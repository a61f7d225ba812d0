package dev.waybill.marketplace.domain;

import java.time.Instant;

/** Something that a user is told about an order. */
public record Notification(long id, long userId, long orderId, String eventId, String content, Instant createTime) {}
