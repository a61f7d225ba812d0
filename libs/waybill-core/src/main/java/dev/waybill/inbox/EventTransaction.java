package dev.waybill.inbox;

import dev.waybill.lifecycle.Checkpoints.Place;
import dev.waybill.message.Causation;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.store.Admission;
import dev.waybill.store.InboxStore.Arrival;
import dev.waybill.store.InboxStore.Ending;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One event inside a transaction: admit, handle, settle. */
final class EventTransaction {

    /** Rolls the transaction back and carries the handler's answer out of it. */
    static final class NotHandled extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // never leaves this thread
        final HandlerResult answer;

        NotHandled(HandlerResult answer) {
            super(null, null, false, false);
            this.answer = answer;
        }
    }

    /** Somebody else is at it: the transaction ends without a trace. */
    static final class Elsewhere extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Elsewhere() {
            super(null, null, false, false);
        }
    }

    private final Inbox.Parts parts;
    private final Event event;
    private final EventHandler handler;
    private @Nullable HandlerResult handled;
    private Duration cost = Duration.ZERO;

    EventTransaction(Inbox.Parts parts, Event event, EventHandler handler) {
        this.parts = parts;
        this.event = event;
        this.handler = handler;
    }

    void run() {
        Arrival arrival = new Arrival(event.eventId(), event.type(), parts.group(), event.traceId());
        Admission admission = parts.store().admit(arrival);
        if (admission instanceof Admission.InProgress) {
            throw new Elsewhere();
        }
        if (admission instanceof Admission.Admitted admitted) {
            parts.checkpoints().reached(Place.ADMITTED);
            parts.store().settle(arrival, admitted, handle());
        }
    }

    private Ending handle() {
        long begun = System.nanoTime();
        Causation.during(event.eventId(), () -> handled = handler.handle(event));
        cost = Duration.ofNanos(System.nanoTime() - begun);
        parts.checkpoints().reached(Place.HANDLED);
        if (handled instanceof HandlerResult.Done) {
            return new Ending.Success(cost);
        }
        if (handled instanceof HandlerResult.Ignored ignored) {
            return new Ending.Ignored(ignored.reason(), cost);
        }
        if (handled == null) {
            throw new IllegalStateException("the handler of " + event.type() + " answered null");
        }
        throw new NotHandled(handled);
    }

    /** After the commit. */
    HandlerResult finish(Delivery delivery) {
        parts.cache().learn(event.eventId(), parts.group());
        if (handled instanceof HandlerResult.Ignored ignored) {
            parts.reporter().ignored(event, delivery, ignored.reason());
        } else if (handled == null) {
            parts.reporter().repeated(event, delivery);
        } else {
            parts.reporter().consumed(event, delivery, cost);
        }
        return new HandlerResult.Done();
    }
}
