package dev.waybill.jdbc;

import dev.waybill.message.Event;

/** What a row's columns say: an event, or nothing that could be sent. */
sealed interface OutboxRowContent {

    String eventId();

    /** The columns make an event. */
    record EventRow(Event event) implements OutboxRowContent {

        @Override
        public String eventId() {
            return event.eventId();
        }
    }

    /**
     * They do not. A claim must neither stumble over one bad row nor send half of it.
     *
     * @param reason why, with the payload as it stands in the row
     */
    record Unreadable(String eventId, String reason) implements OutboxRowContent {}
}
