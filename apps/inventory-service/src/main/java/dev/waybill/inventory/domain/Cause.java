package dev.waybill.inventory.domain;

/** The event to which a line of a reservation's history belongs. */
public record Cause(String event, String eventId) {}
