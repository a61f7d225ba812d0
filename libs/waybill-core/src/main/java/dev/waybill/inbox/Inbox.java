package dev.waybill.inbox;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.message.HandlerResult;
import dev.waybill.store.InboxStore;
import dev.waybill.store.TransactionRunner;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.Receiver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Consumes once: however often a message is delivered, to however many processes, its handler takes effect exactly one
 * time per group. Give it to a subscription as its receiver.
 *
 * <p>A crash anywhere rolls the handler's transaction back or finds it committed; in both cases the message comes again
 * and is handled, or recognised as a repeat. While the database or a declared dependency is down, deliveries wait here
 * and none is spent.
 */
public final class Inbox implements Receiver {

    private final DeliveryProcessor processor;

    private Inbox(Parts parts) {
        this.processor = new DeliveryProcessor(parts);
    }

    /**
     * Starts an inbox.
     *
     * @param group who consumes: the name under which events count as handled
     */
    public static Builder builder(String group) {
        return new Builder(group);
    }

    @Override
    public List<HandlerResult> receive(List<Delivery> batch) throws InterruptedException {
        if (batch.size() > 1) {
            List<HandlerResult> together = processor.consumeTogether(batch);
            if (together != null) {
                return together;
            }
        }
        List<HandlerResult> results = new ArrayList<>(batch.size());
        for (Delivery delivery : batch) {
            results.add(processor.consume(delivery));
        }
        return results;
    }

    @Override
    public void endWaiting() {
        processor.endWaiting();
    }

    /** What an inbox is made of. */
    record Parts(
            String group,
            InboxStore store,
            TransactionRunner transactions,
            Map<String, EventHandler> handlers,
            UnknownTypes unknownTypes,
            RefusalTexts texts,
            int maxBodyBytes,
            DoneCache cache,
            Checkpoints checkpoints,
            InboxReporter reporter,
            PauseGate gate) {}

    /** Puts an inbox together. Store, transactions and a handler are needed, the rest has defaults. */
    public static final class Builder {

        private static final int FOUR_MEGABYTES = 4 * 1024 * 1024;

        private final String group;
        private final Map<String, EventHandler> handlers = new HashMap<>();
        private final List<Dependency> dependencies = new ArrayList<>();
        private @Nullable InboxStore store;
        private @Nullable TransactionRunner transactions;
        private String consumer = "Inbox";
        private UnknownTypes unknownTypes = UnknownTypes.ACKNOWLEDGE;
        private RefusalTexts texts = RefusalTexts.ENGLISH;
        private int maxBodyBytes = FOUR_MEGABYTES;
        private DoneCache cache = DoneCache.NONE;
        private Checkpoints checkpoints = Checkpoints.NONE;
        private InboxListener listener = new InboxListener() {};

        private Builder(String group) {
            this.group = group;
        }

        public Builder store(InboxStore store) {
            this.store = store;
            return this;
        }

        public Builder transactions(TransactionRunner transactions) {
            this.transactions = transactions;
            return this;
        }

        /** Handles events of this type; one handler per type. */
        public Builder on(String eventType, EventHandler handler) {
            if (handlers.putIfAbsent(eventType, handler) != null) {
                throw new IllegalArgumentException("group " + group + " has two handlers for " + eventType);
            }
            return this;
        }

        /** The name in log lines, such as {@code OrderCreatedConsumer}. */
        public Builder consumer(String consumer) {
            this.consumer = consumer;
            return this;
        }

        public Builder unknownTypes(UnknownTypes unknownTypes) {
            this.unknownTypes = unknownTypes;
            return this;
        }

        /** What dead letters say that the inbox itself refused; in English by default. */
        public Builder texts(RefusalTexts texts) {
            this.texts = texts;
            return this;
        }

        /** Larger bodies are dead letters at once; 4 MiB by default. */
        public Builder maxBodyBytes(int maxBodyBytes) {
            this.maxBodyBytes = maxBodyBytes;
            return this;
        }

        public Builder dependency(Dependency dependency) {
            dependencies.add(dependency);
            return this;
        }

        public Builder cache(DoneCache cache) {
            this.cache = cache;
            return this;
        }

        public Builder checkpoints(Checkpoints checkpoints) {
            this.checkpoints = checkpoints;
            return this;
        }

        public Builder listener(InboxListener listener) {
            this.listener = listener;
            return this;
        }

        /** Checks the table, so that a mistake shows now. */
        public Inbox build() {
            InboxStore known = Objects.requireNonNull(store, "an inbox needs a store");
            if (handlers.isEmpty()) {
                throw new IllegalArgumentException("group " + group + " handles no event type");
            }
            known.verify(group);
            InboxReporter reporter = new InboxReporter(consumer, group, listener);
            return new Inbox(new Parts(
                    group,
                    known,
                    Objects.requireNonNull(transactions, "an inbox needs transactions"),
                    Map.copyOf(handlers),
                    unknownTypes,
                    texts,
                    maxBodyBytes,
                    new FailSafeDoneCache(cache, reporter),
                    checkpoints,
                    reporter,
                    new PauseGate(known, dependencies, reporter)));
        }
    }
}
