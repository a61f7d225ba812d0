package dev.waybill.inbox;

import dev.waybill.message.DeadLetter;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.MalformedEventException;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.InboxStore;
import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import dev.waybill.transport.DeadLetterQueue.Sink;
import org.jspecify.annotations.Nullable;

/** Takes letters from the brokers into the table. What it throws leaves the letter at the broker. */
final class DeadLetterSaver implements Sink {

    private final DeadLetterStore store;
    private final @Nullable InboxStore errors;
    private final DeadLetterReporter reporter;

    DeadLetterSaver(DeadLetterStore store, @Nullable InboxStore errors, DeadLetterReporter reporter) {
        this.store = store;
        this.errors = errors;
        this.reporter = reporter;
    }

    @Override
    public void save(DeadLetter letter) {
        Event event = eventIn(letter);
        String eventId = event == null ? letter.messageId() : event.eventId();
        String type = event == null ? null : event.type();
        DeadLetter explained =
                letter.error() == null && eventId != null ? letter.withError(explanation(eventId, letter)) : letter;
        store.save(explained, eventId, type);
        reporter.saved(explained, eventId, type);
    }

    /** Optional: an id that the consume log could never hold must not keep the letter out. */
    private @Nullable String explanation(String eventId, DeadLetter letter) {
        try {
            return errors == null
                    ? null
                    : errors.lastError(eventId, letter.group()).orElse(null);
        } catch (StoreException e) {
            if (e.reason() == Reason.VALUE) {
                return null;
            }
            throw e;
        }
    }

    private static @Nullable Event eventIn(DeadLetter letter) {
        try {
            return Envelope.decode(letter.body());
        } catch (MalformedEventException e) {
            return null; // perhaps the reason for its failure
        }
    }
}
