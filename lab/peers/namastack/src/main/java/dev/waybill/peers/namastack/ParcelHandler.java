package dev.waybill.peers.namastack;

import dev.waybill.contender.ConfirmedSends;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;

/** Publishes and waits for the confirm: its return completes the record. */
final class ParcelHandler implements OutboxTypedHandler<Parcel> {

    private final ConfirmedSends sends;

    ParcelHandler(ConfirmedSends sends) {
        this.sends = sends;
    }

    @Override
    public void handle(Parcel payload, OutboxRecordMetadata metadata) {
        sends.send(payload.id(), payload.body());
    }
}
