package dev.waybill.inbox;

import dev.waybill.lifecycle.Checkpoints.Place;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.MalformedEventException;
import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import dev.waybill.transport.Delivery;
import java.io.IOError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Processes one delivery: decode, admit, handle, settle, commit; then tells the broker what became of it. */
final class DeliveryProcessor {

    private final Inbox.Parts parts;

    DeliveryProcessor(Inbox.Parts parts) {
        this.parts = parts;
    }

    void endWaiting() {
        parts.gate().endWaiting();
    }

    HandlerResult consume(Delivery delivery) throws InterruptedException {
        Event event;
        try {
            event = decode(delivery);
        } catch (MalformedEventException e) {
            return deadLetter(delivery, String.valueOf(e.getMessage()));
        }
        EventTraceScope trace = EventTraceScope.begin(event, delivery.headers());
        try {
            return consume(event, delivery);
        } finally {
            trace.end();
        }
    }

    /** The whole batch in one transaction; null when it has to be done one by one. */
    @Nullable List<HandlerResult> consumeTogether(List<Delivery> batch) {
        List<Event> events = new ArrayList<>(batch.size());
        List<EventTransaction> transactions = new ArrayList<>(batch.size());
        for (Delivery delivery : batch) {
            try {
                Event event = decode(delivery);
                EventHandler handler = parts.handlers().get(event.type());
                if (handler == null) {
                    return null;
                }
                events.add(event);
                transactions.add(new EventTransaction(parts, event, handler));
            } catch (MalformedEventException e) {
                return null; // one by one makes a dead letter of it
            }
        }
        try {
            parts.transactions().inTransaction(() -> {
                for (int i = 0; i < transactions.size(); i++) {
                    EventTraceScope trace =
                            EventTraceScope.begin(events.get(i), batch.get(i).headers());
                    try {
                        transactions.get(i).run();
                    } finally {
                        trace.end();
                    }
                }
                return true;
            });
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError | IOError e) {
            parts.reporter().parted(batch.size(), e);
            return null; // whatever it was, one by one finds out whose fault it is
        }
        parts.checkpoints().reached(Place.CONSUMED);
        List<HandlerResult> results = new ArrayList<>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            EventTraceScope trace =
                    EventTraceScope.begin(events.get(i), batch.get(i).headers());
            try {
                results.add(transactions.get(i).finish(batch.get(i)));
            } finally {
                trace.end();
            }
        }
        return results;
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

    private HandlerResult consume(Event event, Delivery delivery) throws InterruptedException {
        EventHandler handler = parts.handlers().get(event.type());
        if (handler == null) {
            if (parts.unknownTypes() == UnknownTypes.DEAD_LETTER) {
                return deadLetter(delivery, parts.texts().unsupportedType(event.type()));
            }
            parts.reporter().passedOver(event, delivery);
            return new HandlerResult.Done();
        }
        if (parts.cache().knows(event.eventId(), parts.group())) {
            parts.reporter().repeated(event, delivery);
            return new HandlerResult.Done();
        }
        InPlaceRetry patience = new InPlaceRetry(parts.store(), parts.gate());
        while (true) {
            EventTransaction transaction = new EventTransaction(parts, event, handler);
            try {
                parts.transactions().inTransaction(() -> {
                    transaction.run();
                    return true;
                });
            } catch (EventTransaction.InProgressElsewhereException e) {
                patience.comeBackLater();
                continue;
            } catch (EventTransaction.RolledBackException e) {
                if (e.result instanceof HandlerResult.Reject rejected) {
                    return rejected(event, delivery, rejected.error());
                }
                if (patience.notTheEventsFault(e)) {
                    continue;
                }
                return failed(event, delivery, ((HandlerResult.Retry) e.result).error(), null);
            } catch (MalformedEventException e) {
                return rejected(event, delivery, String.valueOf(e.getMessage()));
            } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError | IOError e) {
                if (e instanceof StoreException store && store.reason() == Reason.VALUE) {
                    return rejected(
                            event, delivery, String.valueOf(e.getMessage())); // it will not fit next time either
                }
                if (!patience.notTheEventsFault(e)) {
                    return failed(event, delivery, String.valueOf(e), e);
                }
                continue;
            }
            parts.checkpoints().reached(Place.CONSUMED);
            return transaction.finish(delivery);
        }
    }

    private HandlerResult failed(Event event, Delivery delivery, String error, @Nullable Throwable cause)
            throws InterruptedException {
        note(event, error);
        parts.reporter().failed(event, delivery, error, cause);
        return new HandlerResult.Retry(error);
    }

    private HandlerResult rejected(Event event, Delivery delivery, String error) throws InterruptedException {
        note(event, error);
        return deadLetter(delivery, error);
    }

    private HandlerResult deadLetter(Delivery delivery, String error) {
        parts.reporter().deadLettered(delivery, error);
        return new HandlerResult.Reject(error);
    }

    /** The log of a failure must not cost a second delivery: it is written when the database can. */
    private void note(Event event, String error) throws InterruptedException {
        InPlaceRetry patience = new InPlaceRetry(parts.store(), parts.gate());
        while (true) {
            try {
                parts.store().fail(event, parts.group(), error);
                return;
            } catch (StoreException e) {
                if (!patience.notTheEventsFault(e)) {
                    if (e.reason() != Reason.VALUE) {
                        throw e;
                    }
                    parts.reporter().notNoted(event, e);
                    return;
                }
            }
        }
    }
}
