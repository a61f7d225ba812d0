package dev.waybill.store;

import dev.waybill.message.Event;

/**
 * An event in its row, held by one relay for the length of a lease.
 *
 * @param rowKey names the row; only the store reads it
 * @param event what the row says
 * @param attempts sends that failed so far
 * @param fence proof of the claim; only the store reads it, and it changes whenever somebody else takes the row
 */
public record ClaimedEvent(String rowKey, Event event, int attempts, String fence) {}
