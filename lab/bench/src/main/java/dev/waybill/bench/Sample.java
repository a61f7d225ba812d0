package dev.waybill.bench;

import dev.waybill.message.BodyFormat;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;

/** The event that everybody sends: what an order service would publish, padded to the size asked for. */
record Sample(Event event) {

    static Sample of(int bytes) {
        int around = encode(event("")).length;
        Event event = event("x".repeat(Math.max(1, bytes - around)));
        return new Sample(event);
    }

    byte[] body() {
        return encode(event);
    }

    /** The same again under an id of its own. */
    Event another() {
        return event(event.payload().substring(6, event.payload().length() - 2));
    }

    private static Event event(String filling) {
        return Event.builder("OrderCreated")
                .aggregate("Order", "20261115100000")
                .bizKey("ORD202611151000000000001")
                .traceId("4bf92f3577b34da6a3ce929d0e0e4736")
                .payload("{\"x\":\"" + filling + "\"}")
                .build();
    }

    private static byte[] encode(Event event) {
        return Envelope.encode(event, BodyFormat.ENVELOPE);
    }
}
