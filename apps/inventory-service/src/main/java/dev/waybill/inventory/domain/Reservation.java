package dev.waybill.inventory.domain;

import java.time.Instant;
import java.util.List;

/** An order's reservation; the lines are those that were reserved, also after their release. */
public record Reservation(
        String orderNo, ReservationStatus status, List<Line> lines, Instant createdAt, Instant updatedAt) {}
