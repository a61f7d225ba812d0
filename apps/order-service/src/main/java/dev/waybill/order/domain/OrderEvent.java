package dev.waybill.order.domain;

import java.time.Instant;

/**
 * An event about an order: one of its own, or the inventory's answer.
 *
 * @param eventTime when it happened, by whoever published it; answers count in the order of their arrival all the same
 */
public record OrderEvent(String orderNo, Trigger trigger, String eventId, Instant eventTime) {}
