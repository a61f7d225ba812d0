package dev.waybill.inventory.domain;

import java.time.Instant;
import java.util.List;

/** An order's reservation; the items are those that were reserved, also after their release. */
public record Reservation(
        String orderNo, ReservationStatus status, List<Line> items, Instant createdAt, Instant updatedAt) {}
