package dev.waybill.outbox;

import dev.waybill.message.BodyFormat;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.MalformedEventException;
import dev.waybill.message.Message;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult.NotConfirmed;

/** Makes the message of an event: where it goes, and its body. */
final class MessageFactory {

    /** No message could be made of the event; the failure says whether a later try may do better. */
    static final class RefusedEventException extends Exception {

        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // never leaves this thread
        final NotConfirmed result;

        RefusedEventException(SendFailure failure, String detail) {
            super(detail);
            this.result = new NotConfirmed(failure, detail);
        }
    }

    private final Router router;
    private final BodyFormat bodyFormat;

    MessageFactory(Router router, BodyFormat bodyFormat) {
        this.router = router;
        this.bodyFormat = bodyFormat;
    }

    /** An exception of the router is a failed attempt of this one event; an {@link Error} is not its fault and passes. */
    Message make(Event event) throws RefusedEventException {
        try {
            return encoded(event);
        } catch (RuntimeException e) {
            throw new RefusedEventException(SendFailure.NOT_PREPARED, String.valueOf(e));
        }
    }

    private Message encoded(Event event) throws RefusedEventException {
        Destination destination = event.destination() == null ? router.route(event) : event.destination();
        if (destination == null) {
            throw new RefusedEventException(
                    SendFailure.NO_DESTINATION,
                    "no destination is configured for type " + event.type() + ": " + router.missingRoute(event.type()));
        }
        try {
            return new Message(destination, event, Envelope.encode(event, bodyFormat));
        } catch (MalformedEventException e) {
            throw new RefusedEventException(SendFailure.UNSERIALISABLE, String.valueOf(e.getMessage()));
        }
    }
}
