package dev.waybill.faults;

import dev.waybill.outbox.RelayListener;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendTarget;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What a relay told of destinations that went down and came back. */
final class Outages implements RelayListener {

    final Queue<String> downs = new ConcurrentLinkedQueue<>();
    final Queue<String> ups = new ConcurrentLinkedQueue<>();

    @Override
    public void destinationDown(SendTarget target, SendFailure failure, String detail) {
        downs.add(target.label() + " " + failure);
    }

    @Override
    public void destinationUp(SendTarget target) {
        ups.add(target.label());
    }
}
