package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.waybill.inbox.EventHandler;
import dev.waybill.inbox.Inbox;
import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.lifecycle.Checkpoints.Place;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.store.InboxStore;
import dev.waybill.store.TransactionRunner;
import dev.waybill.transport.Delivery;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Tests that your handler has exactly one effect per event. Its thread is killed before the handler, after it, and after the
 * commit but before the acknowledgement; each time the message is delivered twice more, as a broker would.
 *
 * <pre>{@code
 * HandlerCrashKit.of(inboxStore, transactions)
 *         .handler("OrderCreated", stock::reserve)
 *         .events(() -> orderCreated(freshOrderNo()))
 *         .effects(event -> countReservations(event.bizKey()))
 *         .verify();
 * }</pre>
 *
 * <p>It finds effects outside the inbox's transaction: on another connection, or by a remote call. To kill a whole process at
 * the same places, give your inbox {@link CrashPoints#fromSystemProperty()}.
 */
public final class HandlerCrashKit {

    private static final String GROUP = "crash-kit";
    private static final List<Place> PLACES = List.of(Place.ADMITTED, Place.HANDLED, Place.CONSUMED);

    private final InboxStore store;
    private final TransactionRunner transactions;
    private String group = GROUP;
    private @Nullable String type;
    private @Nullable EventHandler handler;
    private @Nullable Supplier<Event> events;
    private @Nullable ToLongFunction<Event> effects;

    private HandlerCrashKit(InboxStore store, TransactionRunner transactions) {
        this.store = store;
        this.transactions = transactions;
    }

    /** Uses the store and the transactions that the handler runs with in production. */
    public static HandlerCrashKit of(InboxStore store, TransactionRunner transactions) {
        return new HandlerCrashKit(store, transactions);
    }

    /** The group under which events count as handled; {@value #GROUP} by default. */
    public HandlerCrashKit group(String group) {
        this.group = group;
        return this;
    }

    public HandlerCrashKit handler(String eventType, EventHandler handler) {
        this.type = eventType;
        this.handler = handler;
        return this;
    }

    /** Supplies events on which the handler has an effect; each has a new id. */
    public HandlerCrashKit events(Supplier<Event> events) {
        this.events = events;
        return this;
    }

    /** Counts the committed effects of an event, outside the handler's transaction. */
    public HandlerCrashKit effects(ToLongFunction<Event> effects) {
        this.effects = effects;
        return this;
    }

    /**
     * Kills the thread at each place in turn.
     *
     * @throws AssertionError naming the place after which an event had no effect, or more than one
     */
    public void verify() throws InterruptedException {
        Supplier<Event> source = Objects.requireNonNull(events, "the crash kit needs events(…)");
        for (Place place : PLACES) {
            Event event = source.get();
            CrashPoints death = new CrashPoints().dieAt(place, 1, CrashPoints.Death.THREAD);
            Throwable thrown = catchThrowable(() -> receive(event, 1, death));
            assertThat(thrown)
                    .as("the handler must let an Error pass, and did not at %s", place)
                    .isInstanceOf(CrashPoints.Killed.class);
            assertThat(count(event))
                    .as("effects of an event whose handling died at %s", place)
                    .isEqualTo(place == Place.CONSUMED ? 1 : 0);
            expectOne(event, 2, "its second delivery, after a death at " + place);
            expectOne(event, 3, "its third delivery, after a death at " + place);
        }
    }

    private void expectOne(Event event, int attempt, String when) throws InterruptedException {
        HandlerResult result = receive(event, attempt, Checkpoints.NONE);
        assertThat(result).as("the result of %s", when).isInstanceOf(HandlerResult.Done.class);
        assertThat(count(event)).as("effects of an event after %s", when).isEqualTo(1);
    }

    private HandlerResult receive(Event event, int attempt, Checkpoints checkpoints) throws InterruptedException {
        Inbox inbox = Inbox.builder(group)
                .store(store)
                .transactions(transactions)
                .on(
                        Objects.requireNonNull(type, "the crash kit needs handler(…)"),
                        Objects.requireNonNull(handler, "the crash kit needs handler(…)"))
                .checkpoints(checkpoints)
                .build();
        byte[] body = Envelope.encode(event, BodyFormat.ENVELOPE);
        return inbox.receive(List.of(new Delivery(GROUP, group, event.eventId(), Map.of(), body, attempt)))
                .get(0);
    }

    private long count(Event event) {
        return Objects.requireNonNull(effects, "the crash kit needs effects(…)").applyAsLong(event);
    }
}
