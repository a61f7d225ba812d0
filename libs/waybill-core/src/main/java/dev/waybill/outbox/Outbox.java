package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.message.Causation;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.MalformedEventException;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Lease;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Transactions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where business code publishes events. An event is one row in the caller's transaction: it commits with the business
 * data or not at all, and only then does a relay send it, at least once.
 *
 * <p>Publishing never talks to the broker and never waits for the relay. A crash after the commit loses nothing: the
 * row is there and becomes due by itself.
 */
public final class Outbox {

    private final OutboxStore store;
    private final Transactions transactions;
    private final Supplier<Handoff> handoff;
    /** Null where only the process that relays knows the routes. */
    private final @Nullable Router router;

    private final PayloadWriter payloadWriter;
    private final int maxPayloadBytes;
    private final PublishInterceptor interceptor;
    private final Checkpoints checkpoints;

    private Outbox(Builder builder) {
        this.store = Objects.requireNonNull(builder.store, "an outbox needs a store");
        this.transactions = Objects.requireNonNull(builder.transactions, "an outbox needs transactions");
        Relay relay = builder.relay;
        this.handoff = relay == null ? () -> Handoff.NONE : relay::handoff;
        Router own = builder.router;
        this.router = own != null || relay == null ? own : relay.router();
        this.payloadWriter = builder.payloadWriter;
        this.maxPayloadBytes = builder.maxPayloadBytes;
        this.interceptor = builder.interceptor;
        this.checkpoints = builder.checkpoints;
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Publishes one event of this type; the payload becomes JSON.
     *
     * @return the event's id
     * @throws PublishException when the payload cannot be sent, or nobody said where events of this type go; nothing is
     *     written
     * @throws dev.waybill.store.NoTransactionException outside a transaction, or in a read-only one
     */
    public String publish(String type, Object payload) {
        if (isNull(payload)) {
            throw new PublishException(
                    PublishException.Reason.MALFORMED,
                    "the payload of " + type + " is null: an event without data has the payload {}",
                    null);
        }
        return publish(Event.of(type, payloadWriter.write(payload)));
    }

    /** Callers that are not checked for null may pass one all the same. */
    private static boolean isNull(@Nullable Object payload) {
        return payload == null;
    }

    /** Publishes one event; see {@link #publish(String, Object)}. */
    public String publish(Event event) {
        return publishAll(List.of(event)).get(0);
    }

    /** Publishes several events with one statement, in this order. */
    public List<String> publishAll(List<Event> events) {
        return events.isEmpty() ? List.of() : interceptor.publish(events, () -> append(events));
    }

    private List<String> append(List<Event> events) {
        List<Event> ready = events.stream().map(this::prepare).toList();
        UncommittedEvents uncommitted = transactions.join(
                this, UncommittedEvents.class, () -> new UncommittedEvents(handoff.get(), checkpoints));
        List<ClaimedEvent> claimed = append(ready, uncommitted);
        checkpoints.reached(Checkpoints.Place.APPENDED);
        return claimed.stream().map(ClaimedEvent::eventId).toList();
    }

    private List<ClaimedEvent> append(List<Event> events, UncommittedEvents uncommitted) {
        Handoff handoff = uncommitted.handoff();
        Lease lease = handoff.reserve(events);
        if (lease == null) {
            uncommitted.due();
            return store.append(events, null);
        }
        long appendedAt = handoff.now();
        boolean appended = false;
        try {
            List<ClaimedEvent> claimed = store.append(events, lease);
            uncommitted.appended(claimed, appendedAt);
            appended = true;
            return claimed;
        } finally {
            if (!appended) {
                handoff.cancel(events);
            }
        }
    }

    private Event prepare(Event event) {
        check(event);
        Event.Builder prepared = event.toBuilder();
        PublishedTrace.of(event).writeTo(prepared);
        String cause = Causation.current();
        if (cause != null && !event.headers().containsKey(Causation.HEADER)) {
            prepared.header(Causation.HEADER, cause);
        }
        if (event.destination() == null && router != null) {
            prepared.destination(route(event, router));
        }
        return prepared.build();
    }

    /** Asked here and not only by the relay, so that the caller hears of a forgotten route and not an operator. */
    private static Destination route(Event event, Router router) {
        Destination destination = router.route(event);
        if (destination == null) {
            throw new PublishException(
                    PublishException.Reason.NO_DESTINATION,
                    "no destination is configured for type " + event.type() + ": " + router.missingRoute(event.type()),
                    null);
        }
        return destination;
    }

    private void check(Event event) {
        String payload = event.payload();
        if (isOver(payload, maxPayloadBytes)) {
            throw new PublishException(
                    PublishException.Reason.TOO_LARGE,
                    "event " + event.eventId() + " has a payload over the outbox's limit of " + maxPayloadBytes
                            + " bytes",
                    null);
        }
        try {
            Envelope.checkJson(payload, event.eventId());
        } catch (MalformedEventException e) {
            throw new PublishException(PublishException.Reason.MALFORMED, String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean isOver(String payload, int maxBytes) {
        if (payload.length() <= maxBytes / 4) {
            return false; // no character takes more than four bytes
        }
        return payload.length() > maxBytes || payload.getBytes(StandardCharsets.UTF_8).length > maxBytes;
    }

    /** Puts an outbox together. Store and transactions are needed, the rest has defaults. */
    public static final class Builder {

        private static final int FOUR_MEGABYTES = 4 * 1024 * 1024;

        private @Nullable OutboxStore store;
        private @Nullable Transactions transactions;
        private @Nullable Relay relay;
        private @Nullable Router router;
        private PayloadWriter payloadWriter = PayloadWriter.TEXT_ONLY;
        private int maxPayloadBytes = FOUR_MEGABYTES;
        private PublishInterceptor interceptor = PublishInterceptor.NONE;
        private Checkpoints checkpoints = Checkpoints.NONE;

        private Builder() {}

        public Builder store(OutboxStore store) {
            this.store = store;
            return this;
        }

        public Builder transactions(Transactions transactions) {
            this.transactions = transactions;
            return this;
        }

        /** The relay in this process that committed events are handed to. Without one, some other process relays. */
        public Builder relay(Relay relay) {
            this.relay = relay;
            return this;
        }

        /**
         * Where events go that bring no destination; the relay's own routes by default. Without a router and a relay here, the
         * process that relays decides.
         */
        public Builder router(Router router) {
            this.router = router;
            return this;
        }

        public Builder payloadWriter(PayloadWriter payloadWriter) {
            this.payloadWriter = payloadWriter;
            return this;
        }

        /** Payloads above this many bytes of UTF-8 are refused at publish; 4 MiB by default. */
        public Builder maxPayloadBytes(int maxPayloadBytes) {
            this.maxPayloadBytes = maxPayloadBytes;
            return this;
        }

        /** What runs around each call that publishes; nothing by default. */
        public Builder interceptor(PublishInterceptor interceptor) {
            this.interceptor = interceptor;
            return this;
        }

        public Builder checkpoints(Checkpoints checkpoints) {
            this.checkpoints = checkpoints;
            return this;
        }

        public Outbox build() {
            return new Outbox(this);
        }
    }
}
