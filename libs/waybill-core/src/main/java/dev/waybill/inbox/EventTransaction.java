package dev.waybill.inbox;

import dev.waybill.lifecycle.Checkpoints.Place;
import dev.waybill.message.Causation;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.store.Admission;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One event inside a transaction: admit, handle, settle. */
final class EventTransaction {

    /** Rolls the transaction back and carries the handler's result out of it. */
    static final class RolledBackException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // never leaves this thread
        final HandlerResult result;

        RolledBackException(HandlerResult result) {
            super(null, null, false, false);
            this.result = result;
        }
    }

    /** Another process handles the same event right now: this transaction ends and leaves nothing behind. */
    static final class InProgressElsewhereException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        InProgressElsewhereException() {
            super(null, null, false, false);
        }
    }

    private final Inbox.Parts parts;
    private final Event event;
    private final EventHandler handler;
    private @Nullable HandlerResult result;
    private Duration cost = Duration.ZERO;

    EventTransaction(Inbox.Parts parts, Event event, EventHandler handler) {
        this.parts = parts;
        this.event = event;
        this.handler = handler;
    }

    void run() {
        Admission admission = parts.store().admit(event, parts.group());
        if (admission instanceof Admission.InProgress) {
            throw new InProgressElsewhereException();
        }
        if (admission instanceof Admission.Admitted admitted) {
            parts.checkpoints().reached(Place.ADMITTED);
            HandlerResult result = handle();
            parts.store().settle(event, parts.group(), admitted, result, cost);
        }
    }

    private HandlerResult handle() {
        long begun = System.nanoTime();
        Causation.during(event.eventId(), () -> result = handler.handle(event));
        cost = Duration.ofNanos(System.nanoTime() - begun);
        parts.checkpoints().reached(Place.HANDLED);
        if (result == null) {
            throw new IllegalStateException("the handler of " + event.type() + " answered null");
        }
        if (result instanceof HandlerResult.Done || result instanceof HandlerResult.Ignored) {
            return result;
        }
        throw new RolledBackException(result);
    }

    /** After the commit. */
    HandlerResult finish(Delivery delivery) {
        parts.cache().learn(event.eventId(), parts.group());
        if (result instanceof HandlerResult.Ignored ignored) {
            parts.reporter().ignored(event, delivery, ignored.reason());
        } else if (result == null) {
            parts.reporter().repeated(event, delivery);
        } else {
            parts.reporter().consumed(event, delivery, cost);
        }
        return new HandlerResult.Done();
    }
}
