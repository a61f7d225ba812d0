package dev.waybill.outbox;

import dev.waybill.message.Message;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.Transport;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The results of one batch at the broker. Records the first one for each message, whatever else comes. */
final class BatchResults implements Transport.SendResults {

    private final List<Message> messages;
    private final AtomicReferenceArray<ClaimedEvent> unanswered;
    private final SendResultRecorder recorder;
    private final long sentAt;

    BatchResults(List<Message> messages, List<ClaimedEvent> events, SendResultRecorder recorder, long sentAt) {
        this.messages = messages;
        this.unanswered = new AtomicReferenceArray<>(events.toArray(ClaimedEvent[]::new));
        this.recorder = recorder;
        this.sentAt = sentAt;
    }

    @Override
    public void report(int index, SendResult result) {
        ClaimedEvent event = unanswered.getAndSet(index, null);
        if (event != null) {
            recorder.answered(event, messages.get(index).destination().topic(), result, sentAt);
        }
    }

    void failAll(SendResult result) {
        for (int i = 0; i < unanswered.length(); i++) {
            report(i, result);
        }
    }
}
