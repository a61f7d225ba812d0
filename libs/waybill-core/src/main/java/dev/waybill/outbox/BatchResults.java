package dev.waybill.outbox;

import dev.waybill.message.Message;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.Transport;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** One batch at the broker. Passes on the first answer for each message, whatever else comes. */
final class BatchResults implements Transport.SendResults {

    /** Takes one answer. */
    @FunctionalInterface
    interface Answers {
        void answered(Held held, String topic, SendResult outcome);
    }

    private final List<Message> messages;
    private final AtomicReferenceArray<Held> unanswered;
    private final Answers answers;

    BatchResults(List<Message> messages, List<Held> sending, Answers answers) {
        this.messages = messages;
        this.unanswered = new AtomicReferenceArray<>(sending.toArray(Held[]::new));
        this.answers = answers;
    }

    @Override
    public void report(int index, SendResult outcome) {
        Held held = unanswered.getAndSet(index, null);
        if (held != null) {
            answers.answered(held, messages.get(index).destination().topic(), outcome);
        }
    }

    void failAll(SendResult outcome) {
        for (int i = 0; i < unanswered.length(); i++) {
            report(i, outcome);
        }
    }
}
