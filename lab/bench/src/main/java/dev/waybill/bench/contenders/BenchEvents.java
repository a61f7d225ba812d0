package dev.waybill.bench.contenders;

import dev.waybill.contender.BenchOrder;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;

/** An order's event: what an order service would publish, padded until its message body has everybody's size. */
final class BenchEvents {

    private static final int SHORTEST = 40;
    private static final int AROUND =
            Envelope.encode(event(new BenchOrder(1), SHORTEST), BodyFormat.ENVELOPE).length - SHORTEST;

    private BenchEvents() {}

    static Event event(BenchOrder order) {
        return event(order, BenchOrder.BODY_BYTES - AROUND);
    }

    private static Event event(BenchOrder order, int payloadBytes) {
        return Event.builder("OrderCreated")
                .aggregate("Order", order.digits())
                .bizKey("ORD" + order.digits())
                .traceId("4bf92f3577b34da6a3ce929d0e0e4736")
                .payload(order.body(payloadBytes))
                .build();
    }
}
