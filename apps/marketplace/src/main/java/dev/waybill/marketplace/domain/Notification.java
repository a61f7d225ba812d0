package dev.waybill.marketplace.domain;

import java.time.Instant;

/** A message to a user about an order. */
public record Notification(long id, long userId, long orderId, String eventId, String content, Instant createTime) {}
