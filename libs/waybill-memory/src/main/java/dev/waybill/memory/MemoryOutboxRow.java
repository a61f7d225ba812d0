package dev.waybill.memory;

import dev.waybill.message.BodyFormat;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.MalformedEventException;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.OutboxStore.DeadEvent;
import dev.waybill.store.StoreException;
import dev.waybill.store.UnreadableRow;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of the outbox. The event is stored as its envelope's text, as a database does it: what cannot be written as JSON does
 * not get in, and a row that somebody else wrote may turn out to be unreadable.
 *
 * @param due when anybody may take it; of a DEAD row, when it died
 * @param fence names the claim that may settle it; null when nobody has it
 */
record MemoryOutboxRow(
        long id,
        String eventId,
        String envelope,
        @Nullable Destination destination,
        State state,
        int attempts,
        Instant due,
        @Nullable String fence,
        @Nullable String error,
        @Nullable String brokerId,
        @Nullable Instant sentAt) {

    enum State {
        FRESH,
        RETRYING,
        SENT,
        DEAD;

        boolean waits() {
            return this == FRESH || this == RETRYING;
        }
    }

    static MemoryOutboxRow fresh(
            long id,
            String eventId,
            String envelope,
            @Nullable Destination destination,
            Instant due,
            @Nullable String fence) {
        return new MemoryOutboxRow(id, eventId, envelope, destination, State.FRESH, 0, due, fence, null, null, null);
    }

    int bytes() {
        return envelope.getBytes(StandardCharsets.UTF_8).length;
    }

    boolean isDue(Instant now) {
        return state.waits() && !due.isAfter(now);
    }

    boolean wasSentBy(Instant moment) {
        return state == State.SENT && sentAt != null && !sentAt.isAfter(moment);
    }

    boolean diedBy(Instant moment) {
        return state == State.DEAD && !due.isAfter(moment);
    }

    boolean isClaimedBy(ClaimedRow claim) {
        return state.waits() && claim.fence().equals(fence);
    }

    MemoryOutboxRow taken(String newFence, Instant leaseEnd) {
        return with(state, attempts, leaseEnd, newFence, error);
    }

    MemoryOutboxRow sent(@Nullable String id, Instant now) {
        return new MemoryOutboxRow(
                this.id, eventId, envelope, destination, State.SENT, attempts, due, null, null, id, now);
    }

    MemoryOutboxRow retrying(Instant due, String error) {
        return with(State.RETRYING, attempts + 1, due, null, error);
    }

    MemoryOutboxRow dead(Instant now, String error) {
        return with(State.DEAD, attempts + 1, now, null, error);
    }

    MemoryOutboxRow released(Instant due) {
        return with(state, attempts, due, null, error);
    }

    MemoryOutboxRow requeued(Instant now) {
        return with(State.FRESH, 0, now, null, null);
    }

    /** @throws StoreException VALUE when that is no JSON */
    MemoryOutboxRow edited(String payload) {
        try {
            Event event = Envelope.decode(envelope).toBuilder().payload(payload).build();
            String changed = new String(Envelope.encode(event, BodyFormat.ENVELOPE), StandardCharsets.UTF_8);
            return new MemoryOutboxRow(
                    id, eventId, changed, destination, state, attempts, due, fence, error, brokerId, sentAt);
        } catch (MalformedEventException e) {
            throw new StoreException(StoreException.Reason.VALUE, "the payload is no JSON", e);
        }
    }

    MemoryOutboxRow dueAt(Instant due) {
        return with(state, attempts, due, fence, error);
    }

    /** The row as its claimer gets it. */
    ClaimedRow claimed(String fence) {
        try {
            return new ClaimedEvent(String.valueOf(id), event(), attempts, fence);
        } catch (MalformedEventException e) {
            return new UnreadableRow(String.valueOf(id), eventId, attempts, fence, e.getMessage() + ": " + envelope);
        }
    }

    DeadEvent asDead() {
        return new DeadEvent(eventId, readable(), attempts, error);
    }

    /** The event; null for a row that cannot be read as one. */
    @Nullable Event readable() {
        try {
            return event();
        } catch (MalformedEventException e) {
            return null;
        }
    }

    private Event event() {
        return Envelope.decode(envelope).toBuilder().destination(destination).build();
    }

    private MemoryOutboxRow with(
            State state, int attempts, Instant due, @Nullable String fence, @Nullable String error) {
        return new MemoryOutboxRow(
                id, eventId, envelope, destination, state, attempts, due, fence, error, brokerId, sentAt);
    }
}
