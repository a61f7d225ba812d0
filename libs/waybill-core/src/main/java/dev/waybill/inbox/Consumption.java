package dev.waybill.inbox;

import dev.waybill.lifecycle.Checkpoints.Place;
import dev.waybill.message.Causation;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.MalformedEventException;
import dev.waybill.message.TraceId;
import dev.waybill.store.Admission;
import dev.waybill.store.InboxStore.Arrival;
import dev.waybill.store.InboxStore.Ending;
import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** One delivery's way: decode, admit, handle, settle, commit; then the verdict. */
final class Consumption {

    static final String UNSUPPORTED = "事件类型不支持";
    private static final int CONFLICTS = 5;

    private final Inbox.Parts parts;

    Consumption(Inbox.Parts parts) {
        this.parts = parts;
    }

    Verdict consume(Delivery delivery) throws InterruptedException {
        Event event;
        try {
            event = decode(delivery);
        } catch (MalformedEventException e) {
            return bury(delivery, String.valueOf(e.getMessage()));
        }
        String before = MDC.get(TraceId.KEY);
        if (TraceId.isAcceptable(event.traceId())) {
            MDC.put(TraceId.KEY, event.traceId());
        }
        try {
            return consume(event, delivery);
        } finally {
            if (before == null) {
                MDC.remove(TraceId.KEY);
            } else {
                MDC.put(TraceId.KEY, before);
            }
        }
    }

    /** The whole batch in one transaction; null when it has to be done one by one. */
    @Nullable List<Verdict> consumeTogether(List<Delivery> batch) throws InterruptedException {
        List<Handling> handlings = new ArrayList<>(batch.size());
        for (Delivery delivery : batch) {
            try {
                Event event = decode(delivery);
                EventHandler handler = parts.handlers().get(event.type());
                if (handler == null) {
                    return null;
                }
                handlings.add(new Handling(event, handler));
            } catch (MalformedEventException e) {
                return null;
            }
        }
        try {
            parts.transactions().inTransaction(() -> {
                for (Handling handling : handlings) {
                    handling.run();
                    if (handling.admission instanceof Admission.InProgress) {
                        throw new NotHandled(Handled.retry("somebody else is at it"));
                    }
                }
                return true;
            });
        } catch (RuntimeException e) {
            return null; // whatever it was, one by one finds out whose fault it is
        }
        parts.checkpoints().reached(Place.CONSUMED);
        List<Verdict> verdicts = new ArrayList<>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            verdicts.add(handlings.get(i).finish(batch.get(i)));
        }
        return verdicts;
    }

    private Event decode(Delivery delivery) {
        if (delivery.body().length > parts.maxBodyBytes()) {
            throw new MalformedEventException(
                    "a body of " + delivery.body().length + " bytes is over the inbox's limit of "
                            + parts.maxBodyBytes(),
                    null);
        }
        return Envelope.decode(delivery.body());
    }

    private Verdict consume(Event event, Delivery delivery) throws InterruptedException {
        EventHandler handler = parts.handlers().get(event.type());
        if (handler == null) {
            if (parts.unknownTypes() == UnknownTypes.BURY) {
                return bury(delivery, UNSUPPORTED + ": " + event.type());
            }
            parts.journal().passedOver(event, delivery);
            return new Verdict.Done();
        }
        if (parts.cache().knows(event.eventId(), parts.group())) {
            parts.journal().repeated(event, delivery);
            return new Verdict.Done();
        }
        for (int conflicts = 0; ; ) {
            Handling handling = new Handling(event, handler);
            try {
                parts.transactions().inTransaction(() -> {
                    handling.run();
                    return true;
                });
                parts.checkpoints().reached(Place.CONSUMED);
                if (handling.admission instanceof Admission.InProgress) {
                    TimeUnit.MILLISECONDS.sleep(PauseGate.shortPause().toMillis());
                    continue;
                }
                return handling.finish(delivery);
            } catch (NotHandled e) {
                if (e.handled instanceof Handled.Reject rejected) {
                    return rejected(event, delivery, rejected.cause());
                }
                return failed(event, delivery, ((Handled.Retry) e.handled).cause());
            } catch (RuntimeException e) {
                if (parts.gate().await()) {
                    continue; // not the event's fault: nothing is spent
                }
                if (e instanceof StoreException store
                        && store.reason() == Reason.CONFLICT
                        && ++conflicts <= CONFLICTS) {
                    continue;
                }
                if (e instanceof MalformedEventException) {
                    return rejected(event, delivery, String.valueOf(e.getMessage()));
                }
                return failed(event, delivery, String.valueOf(e));
            }
        }
    }

    private Verdict failed(Event event, Delivery delivery, String error) throws InterruptedException {
        note(event, error);
        parts.journal().failed(event, delivery, error);
        return new Verdict.Again(error);
    }

    private Verdict rejected(Event event, Delivery delivery, String error) throws InterruptedException {
        note(event, error);
        return bury(delivery, error);
    }

    private Verdict bury(Delivery delivery, String error) {
        parts.journal().buried(delivery, error);
        return new Verdict.Bury(error);
    }

    private void note(Event event, String error) throws InterruptedException {
        while (true) {
            try {
                parts.store().fail(arrival(event), error);
                return;
            } catch (StoreException e) {
                if (!parts.gate().await() && e.reason() != Reason.CONFLICT) {
                    throw e;
                }
            }
        }
    }

    private Arrival arrival(Event event) {
        return new Arrival(event.eventId(), event.type(), parts.group(), event.traceId());
    }

    /** Rolls the transaction back and carries the handler's answer out of it. */
    private static final class NotHandled extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // never leaves this thread
        final Handled handled;

        NotHandled(Handled handled) {
            super(null, null, false, false);
            this.handled = handled;
        }
    }

    /** One event inside a transaction. */
    private final class Handling {

        final Event event;
        final EventHandler handler;
        Admission admission = new Admission.InProgress();

        @Nullable Handled handled;

        Duration cost = Duration.ZERO;

        Handling(Event event, EventHandler handler) {
            this.event = event;
            this.handler = handler;
        }

        void run() {
            Arrival arrival = arrival(event);
            admission = parts.store().admit(arrival);
            if (!(admission instanceof Admission.Admitted admitted)) {
                return;
            }
            parts.checkpoints().reached(Place.ADMITTED);
            long begun = System.nanoTime();
            Causation.during(event.eventId(), () -> handled = handler.handle(event));
            cost = Duration.ofNanos(System.nanoTime() - begun);
            parts.checkpoints().reached(Place.HANDLED);
            if (handled instanceof Handled.Done) {
                parts.store().settle(arrival, admitted, new Ending.Success(cost));
            } else if (handled instanceof Handled.Ignored ignored) {
                parts.store().settle(arrival, admitted, new Ending.Ignored(ignored.reason(), cost));
            } else if (handled != null) {
                throw new NotHandled(handled);
            } else {
                throw new IllegalStateException("the handler of " + event.type() + " answered null");
            }
        }

        Verdict finish(Delivery delivery) {
            parts.cache().learn(event.eventId(), parts.group());
            if (handled instanceof Handled.Ignored ignored) {
                parts.journal().ignored(event, delivery, ignored.reason());
            } else if (handled == null) {
                parts.journal().repeated(event, delivery);
            } else {
                parts.journal().consumed(event, delivery, cost);
            }
            return new Verdict.Done();
        }
    }
}
