package dev.waybill.memory;

import dev.waybill.memory.JournalRecord.Gone;
import dev.waybill.memory.JournalRecord.Put;
import dev.waybill.memory.QueueSpec.DeadLetterTo;
import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Declared queues, and the exchanges that lead to them. No thread watches the time: whoever takes, sends or counts moves
 * on what has expired, and every receiver at work does so many times a second.
 */
final class MemoryExchanges {

    private record Binding(String key, RoutingPattern pattern, MemoryQueue queue) {

        boolean is(String queueName, String routingKey) {
            return key.equals(routingKey) && queue.spec().name().equals(queueName);
        }
    }

    private final MemoryBroker broker;
    private final Map<String, MemoryQueue> queues = new ConcurrentHashMap<>();
    private final Map<String, List<Binding>> bindings = new ConcurrentHashMap<>();
    private final List<MemoryQueue> timed = new CopyOnWriteArrayList<>();
    private RecoveredMessages recovered = new RecoveredMessages();

    MemoryExchanges(MemoryBroker broker) {
        this.broker = broker;
    }

    synchronized void declare(QueueSpec spec) {
        MemoryQueue declared = queues.get(spec.name());
        if (declared == null) {
            MemoryQueue fresh = new MemoryQueue(spec, broker, this);
            fresh.recover(recovered.takeCopies(fresh.holder()));
            queues.put(spec.name(), fresh);
            if (spec.messageTtl() != null) {
                timed.add(fresh);
            }
        } else if (!declared.spec().equals(spec)) {
            throw new TransportException(
                    Reason.BAD_SETTING,
                    "queue " + spec.name() + " exists with other settings: " + declared.spec() + ", not " + spec,
                    null);
        }
    }

    synchronized void bind(String queue, String exchange, String routingKey) {
        MemoryQueue bound = queue(queue);
        List<Binding> ofThis = bindings.computeIfAbsent(exchange, name -> new CopyOnWriteArrayList<>());
        if (ofThis.stream().noneMatch(binding -> binding.is(queue, routingKey))) {
            ofThis.add(new Binding(routingKey, RoutingPattern.of(routingKey), bound));
        }
    }

    synchronized void unbind(String queue, String exchange, String routingKey) {
        List<Binding> ofThis = bindings.get(exchange);
        if (ofThis != null) {
            ofThis.removeIf(binding -> binding.is(queue, routingKey));
        }
    }

    boolean knows(String exchange) {
        return bindings.containsKey(exchange);
    }

    @Nullable MemoryQueue find(String queue) {
        return queues.get(queue);
    }

    MemoryQueue queue(String name) {
        MemoryQueue declared = queues.get(name);
        if (declared == null) {
            throw new TransportException(Reason.BAD_SETTING, "nobody declared queue " + name, null);
        }
        return declared;
    }

    /** Each queue once, however many of its bindings match. */
    List<MemoryQueue> route(String exchange, String routingKey) {
        if (exchange.isEmpty()) {
            MemoryQueue named = queues.get(routingKey);
            return named == null ? List.of() : List.of(named);
        }
        return bindings.getOrDefault(exchange, List.of()).stream()
                .filter(binding -> binding.pattern.matches(routingKey))
                .map(Binding::queue)
                .distinct()
                .toList();
    }

    /** The queues to which a queue's dead letters go now. */
    List<MemoryQueue> deadLetterQueuesOf(QueueSpec spec) {
        DeadLetterTo to = spec.deadLetters();
        return to == null ? List.of() : route(to.exchange(), to.routingKey());
    }

    /** Sends a message that is in hand where dead letters of the queue go; false when that is nowhere. */
    boolean deadLetter(MemoryQueue from, QueuedMessage message, String error) {
        List<MemoryQueue> targets = deadLetterQueuesOf(from.spec());
        if (targets.isEmpty()) {
            return false;
        }
        Map<MemoryQueue, QueuedMessage> letters = new LinkedHashMap<>();
        List<JournalRecord> records = new ArrayList<>(List.of(new Gone(from.holder(), message.number())));
        for (MemoryQueue target : targets) {
            QueuedMessage letter = message.dead(
                    broker.nextNumber(), from.spec().name(), broker.clock().instant(), error);
            letters.put(target, letter);
            records.add(new Put(target.holder(), letter, false));
        }
        from.settle(message, records, () -> letters.forEach(MemoryQueue::add));
        return true;
    }

    /** Gives each queue a copy of its own. */
    void deliver(StoredMessage stored, List<MemoryQueue> to) {
        Map<MemoryQueue, QueuedMessage> copies = new LinkedHashMap<>();
        to.forEach(
                queue -> copies.put(queue, QueuedMessage.of(stored, broker.nextNumber(), QueuedMessage.NO_POSITION)));
        broker.changes().change(() -> {
            broker.changes()
                    .write(copies.entrySet().stream()
                            .map(copy -> new Put(copy.getKey().holder(), copy.getValue(), false))
                            .toList());
            copies.forEach(MemoryQueue::add);
        });
    }

    /** Messages that a file kept: of the queues that are there, and of others as soon as somebody declares them. */
    synchronized void recover(RecoveredMessages kept) {
        recovered = kept;
        queues.values().forEach(queue -> queue.recover(kept.takeCopies(queue.holder())));
    }

    synchronized void describe(Consumer<JournalRecord> records) {
        queues.values().forEach(queue -> queue.describe(records));
        recovered.left().forEach(records);
    }

    /** One at a time, so that who comes second sees everything moved. */
    void expire() {
        if (timed.isEmpty()) {
            return;
        }
        synchronized (timed) {
            Instant now = broker.clock().instant();
            timed.forEach(queue -> queue.expire(now));
        }
    }
}
