package dev.waybill.message;

import java.time.Instant;

/** An event as services publish it: all fields, one header, some hundred bytes of payload. */
public final class SampleEvent {

    private SampleEvent() {}

    public static Event event() {
        return Event.builder("OrderCreated")
                .eventId("0197a0b2-5d3c-7a41-9c3e-2f6d8b1a4e70")
                .aggregate("Order", "4711")
                .bizKey("SO-2026-000004711")
                .schemaVersion(2)
                .occurredAt(Instant.parse("2026-02-04T10:30:00.123456Z"))
                .traceId("4bf92f3577b34da6a3ce929d0e0e4736")
                .header("tenant", "north")
                .payload("{\"orderId\":4711,\"note\":\"" + "x".repeat(200) + "\"}")
                .destination(Destination.of("orders", "created"))
                .build();
    }

    public static Message message() {
        Event event = event();
        return new Message(Destination.of("orders", "created"), event, Envelope.encode(event, BodyFormat.ENVELOPE));
    }
}
