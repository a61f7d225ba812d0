package dev.waybill.outbox;

import dev.waybill.message.Event;
import dev.waybill.store.UnreadableRow;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendTarget;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what a relay tells. */
final class HeardByListener implements RelayListener {

    /** What to look at in the very moment of a failure. */
    volatile Runnable onFailed = () -> {};

    private final List<String> heard = new CopyOnWriteArrayList<>();

    List<String> all() {
        return heard;
    }

    @Override
    public void sent(Event event, Duration latency) {
        heard.add("sent " + event.eventId());
    }

    @Override
    public void retried(Event event, int attempts, Duration delay, String error) {
        heard.add("retried " + event.eventId() + " " + attempts + " " + delay);
    }

    @Override
    public void dead(Event event, int attempts, String error) {
        heard.add("dead " + event.eventId() + " " + attempts);
    }

    @Override
    public void unreadable(UnreadableRow row, String error) {
        heard.add("unreadable " + row.eventId());
    }

    @Override
    public void destinationDown(SendTarget target, SendFailure failure, String detail) {
        heard.add("down " + target.label());
    }

    @Override
    public void destinationUp(SendTarget target) {
        heard.add("up " + target.label());
    }

    @Override
    public void leaseLost(int rows) {
        heard.add("lease lost " + rows);
    }

    @Override
    public void failed(Error error) {
        onFailed.run();
        heard.add("failed " + error.getMessage());
    }

    @Override
    public void restarted() {
        heard.add("restarted");
    }
}
