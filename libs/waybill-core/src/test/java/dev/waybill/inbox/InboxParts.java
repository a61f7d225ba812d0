package dev.waybill.inbox;

import dev.waybill.memory.MemoryInboxStore;
import dev.waybill.memory.MemoryTransactions;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.store.Admission;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** An inbox over a consume log in memory, business data that rolls back with it, and somebody who listens. */
final class InboxParts {

    static {
        // conditions hold within milliseconds here, and a hundred tests that look every 100 ms take long
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(Duration.ofMillis(5));
    }

    static final String GROUP = "stock";

    final MemoryTransactions transactions = new MemoryTransactions();
    final WatchedInboxStore store = new WatchedInboxStore(new MemoryInboxStore(transactions));
    final List<String> effects = new CopyOnWriteArrayList<>();
    final List<String> heard = new CopyOnWriteArrayList<>();

    Inbox.Builder inbox(EventHandler handler) {
        return Inbox.builder(GROUP)
                .store(store)
                .transactions(transactions)
                .on("OrderCreated", handler)
                .listener(new Listening());
    }

    /** The usual handler: one business write. */
    HandlerResult effect(Event event) {
        effects.add(event.eventId());
        transactions.onRollback(() -> effects.remove(event.eventId()));
        return HandlerResult.DONE;
    }

    static Event event(String id) {
        return Event.builder("OrderCreated").eventId(id).traceId("trace-" + id).build();
    }

    static byte[] body(Event event) {
        return Envelope.encode(event, BodyFormat.ENVELOPE);
    }

    /** The first delivery of each body, as one batch. */
    static List<HandlerResult> receive(Inbox inbox, byte[]... bodies) throws InterruptedException {
        List<Delivery> batch = new ArrayList<>();
        for (byte[] body : bodies) {
            batch.add(new Delivery("ORDERS", GROUP, null, Map.of(), body, 1));
        }
        return inbox.receive(batch);
    }

    static HandlerResult receive(Inbox inbox, Event event) throws InterruptedException {
        return receive(inbox, body(event)).get(0);
    }

    /** What the consume log would say to another delivery of this event. */
    Admission admission(Event event) {
        return transactions.inTransaction(() -> {
            Object before = transactions.savepoint();
            Admission admission = store.admit(event, GROUP);
            transactions.rollbackTo(before);
            return admission;
        });
    }

    private final class Listening implements InboxListener {

        @Override
        public void consumed(Event event, String group, Duration cost) {
            heard.add("consumed " + event.eventId());
        }

        @Override
        public void ignored(Event event, String group, String reason) {
            heard.add("ignored " + event.eventId() + " " + reason);
        }

        @Override
        public void repeated(Event event, String group) {
            heard.add("repeated " + event.eventId());
        }

        @Override
        public void passedOver(Event event, String group) {
            heard.add("passed over " + event.eventId());
        }

        @Override
        public void failed(Event event, String group, int attempt, String error) {
            heard.add("failed " + event.eventId());
        }

        @Override
        public void deadLettered(Delivery delivery, String error) {
            heard.add("dead-lettered");
        }

        @Override
        public void paused(String dependency) {
            heard.add("paused " + dependency);
        }

        @Override
        public void resumed(String dependency) {
            heard.add("resumed " + dependency);
        }
    }
}
