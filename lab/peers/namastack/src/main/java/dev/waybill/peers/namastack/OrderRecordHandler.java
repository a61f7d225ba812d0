package dev.waybill.peers.namastack;

import dev.waybill.contender.ConfirmedSender;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;

/** Publishes and waits for the confirm: its return completes the record. */
final class OrderRecordHandler implements OutboxTypedHandler<OrderRecord> {

    private final ConfirmedSender sends;

    OrderRecordHandler(ConfirmedSender sends) {
        this.sends = sends;
    }

    @Override
    public void handle(OrderRecord payload, OutboxRecordMetadata metadata) {
        sends.send(payload.id(), payload.body());
    }
}
