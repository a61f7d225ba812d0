package dev.waybill.memory;

import dev.waybill.memory.JournalRecord.Holder;
import dev.waybill.memory.JournalRecord.LastNumber;
import dev.waybill.message.Message;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.NotConfirmed;
import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A broker inside one JVM. A topic comes into being with its first message or reader, unless {@link #onlyKnownTopics} was
 * asked for. Each topic keeps its newest 100,000 messages, and every reader sees all that are kept.
 *
 * <p>It can stand in for RabbitMQ too: a topic to which somebody {@linkplain #bind(String, String, String) bound} a
 * {@linkplain #declareQueue queue} is a topic exchange, and the destination's tag is the routing key. Such a topic keeps
 * nothing itself: every queue bound with a matching key gets a message, and a message that matches none is {@link
 * SendFailure#UNROUTABLE}. Messages expire at a queue's head and are dead-lettered within tens of milliseconds while
 * anybody receives, sends or counts. Queues have no limit of length.
 *
 * <p>Made with {@code new}, nothing of it survives the JVM. Made with {@link #keptIn}, its messages do: a send that was
 * confirmed, a message that was not acknowledged, a retry that waits and a dead letter are there after a restart, also after
 * the process was killed, and what was acknowledged does not come back. Queues and bindings are declared anew by whoever starts;
 * messages of a queue wait for that. Of a topic's messages it keeps those that one of its groups has not consumed. One process
 * at a time can open the file. It is for tests, for trying Waybill out and for a service on its own. Safe for many threads.
 */
public final class MemoryBroker implements AutoCloseable {

    private static final int RETAINED = 100_000;
    private static final String ID_PREFIX = "m-";

    private final Clock clock;
    private final Map<String, MemoryTopic> topics = new ConcurrentHashMap<>();
    private final Map<Holder, MemoryGroup> groups = new ConcurrentHashMap<>();
    private final MemoryExchanges exchanges = new MemoryExchanges(this);
    private final Set<String> unbound = ConcurrentHashMap.newKeySet();
    private final AtomicLong numbers = new AtomicLong();
    private final ChangeLog changes = new ChangeLog(this::describe);
    private volatile boolean onlyKnownTopics;
    private volatile boolean down;
    private volatile boolean silent;
    private volatile @Nullable String alarm;
    private volatile Duration latency = Duration.ZERO;
    private volatile int sizeLimit = 4 * 1024 * 1024;
    private volatile Function<Message, @Nullable SendFailure> result = message -> null;

    public MemoryBroker() {
        this(Clock.systemUTC());
    }

    /** By this clock, which a test may move by hand. */
    public MemoryBroker(Clock clock) {
        this.clock = clock;
    }

    /**
     * A broker whose messages are kept in this file, with what an earlier process left in it.
     *
     * @throws TransportException when another process has the file open, or it cannot be read
     */
    public static MemoryBroker keptIn(Path file) {
        return keptIn(file, Clock.systemUTC());
    }

    /** The same, by a clock of the caller's. */
    public static MemoryBroker keptIn(Path file, Clock clock) {
        MemoryBroker broker = new MemoryBroker(clock);
        broker.open(file);
        return broker;
    }

    /** Takes over what the file holds, in place of everything in memory. */
    void open(Path file) {
        RecoveredMessages kept = new RecoveredMessages();
        MessageJournal journal = MessageJournal.open(file, kept::add);
        numbers.accumulateAndGet(kept.lastNumber(), Math::max);
        kept.topics().keySet().forEach(this::createTopic);
        topics.forEach((name, topic) -> {
            RecoveredMessages.Topic known = kept.topics().getOrDefault(name, new RecoveredMessages.Topic());
            topic.recover(known.first, known.messages);
        });
        kept.groups().keySet().forEach(this::group);
        groups.forEach((holder, group) -> group.recover(
                kept.groups().getOrDefault(holder, new RecoveredMessages.Group()), kept.takeCopies(holder)));
        exchanges.recover(kept);
        changes.writeTo(journal);
        down = false;
    }

    /** Takes no more messages and delivers none; gives the file to whoever opens it next. */
    @Override
    public void close() {
        if (changes.isKept()) {
            down = true;
            changes.close();
        }
    }

    /** Everything that a file must hold. */
    private void describe(Consumer<JournalRecord> records) {
        records.accept(new LastNumber(numbers.get()));
        topics.forEach((name, topic) -> topic.describe(groupsOf(name), records));
        groups.values().forEach(group -> group.describe(records));
        exchanges.describe(records);
    }

    private List<MemoryGroup> groupsOf(String topic) {
        return groups.entrySet().stream()
                .filter(group -> group.getKey().source().equals(topic))
                .map(Map.Entry::getValue)
                .toList();
    }

    // What readers do.

    /** Makes a topic known. */
    public MemoryBroker createTopic(String topic) {
        refuseIfExchange(topic);
        topics.computeIfAbsent(topic, name -> new MemoryTopic(name, RETAINED));
        return this;
    }

    /** Everything that a topic keeps, oldest first. */
    public List<StoredMessage> read(String topic) {
        MemoryTopic log = topics.get(topic);
        return log == null ? List.of() : log.all();
    }

    /** Hands every message of a topic, from the oldest kept, to the reader, one by one, on a thread of its own. */
    public TopicReader subscribe(String topic, Consumer<StoredMessage> reader) {
        createTopic(topic);
        return new TopicReader(topic, known(topic), reader);
    }

    // What RabbitMQ's users declare.

    /**
     * Declares a queue; the same declaration again is nothing.
     *
     * @throws TransportException when the queue exists with other settings, or its name is in use as a topic
     */
    public MemoryBroker declareQueue(QueueSpec queue) {
        refuseIfTopic(queue.name());
        exchanges.declare(queue);
        return this;
    }

    /**
     * Lets an exchange lead to a declared queue. In the routing key {@code *} stands for one word, {@code #} for any
     * number of them.
     *
     * @throws TransportException when nobody declared the queue, or the exchange's name is in use as a topic
     */
    public MemoryBroker bind(String queue, String exchange, String routingKey) {
        refuseIfTopic(exchange);
        exchanges.bind(queue, exchange, routingKey);
        return this;
    }

    /** Takes a binding away. The exchange stays one. */
    public MemoryBroker unbind(String queue, String exchange, String routingKey) {
        exchanges.unbind(queue, exchange, routingKey);
        return this;
    }

    /** How many messages a declared queue holds, without those in a receiver's hands or waiting for another delivery. */
    public int depth(String queue) {
        return waiting(queue).size();
    }

    private void refuseIfTopic(String name) {
        if (topics.containsKey(name)) {
            throw badSetting(name + " is in use as a topic; declare queues and bindings first");
        }
    }

    // What tests tell it to do.

    /** From now on a message to a topic that nobody created is {@link SendFailure#TOPIC_UNAVAILABLE}. */
    public MemoryBroker onlyKnownTopics() {
        onlyKnownTopics = true;
        return this;
    }

    /** Nobody can reach it: {@link SendFailure#NO_CONNECTION}, or CONNECTION_LOST for what it has not answered yet. */
    public void goDown() {
        down = true;
    }

    public void comeUp() {
        down = false;
    }

    /** Takes messages and answers none, like a process that was stopped: they time out. */
    public void fallSilent() {
        silent = true;
    }

    /** Answers again, also what was sent meanwhile and has not given up waiting. */
    public void speak() {
        silent = false;
    }

    /** Raises the broker's alarm: {@link SendFailure#BLOCKED}. */
    public void block(String reason) {
        alarm = reason;
    }

    public void unblock() {
        alarm = null;
    }

    /** Answers come this much later. */
    public void latency(Duration delay) {
        latency = delay;
    }

    /** The largest body it takes; 4 MiB at first. */
    public void sizeLimit(int bytes) {
        sizeLimit = bytes;
    }

    /** Messages to the topic find no queue: {@link SendFailure#UNROUTABLE}. */
    public void unbind(String topic) {
        unbound.add(topic);
    }

    public void bind(String topic) {
        unbound.remove(topic);
    }

    /** Lets a function decide about each message: a failure, or null to take it. */
    public void answer(Function<Message, @Nullable SendFailure> result) {
        this.result = result;
    }

    // What the subscriptions ask.

    /** A queue, or a group's progress on a topic; either outlives its members. */
    MessageSource source(String source, String group) {
        MemoryQueue queue = exchanges.find(source);
        return queue == null ? group(new Holder(source, group)) : queue;
    }

    private MemoryGroup group(Holder holder) {
        createTopic(holder.source());
        return groups.computeIfAbsent(holder, name -> new MemoryGroup(name, this, known(name.source())));
    }

    List<QueuedMessage> waiting(String queue) {
        exchanges.expire();
        return exchanges.queue(queue).waiting();
    }

    /** Nobody receives from an exchange, nor from a queue that would lose what fails. */
    void refuseIfUnfit(String source) {
        MemoryQueue queue = exchanges.find(source);
        if (queue == null) {
            refuseIfExchange(source);
        } else if (queue.spec().deadLetters() == null) {
            throw new TransportException(
                    Reason.UNSAFE_SETTING,
                    "queue " + source + " has no dead-letter exchange, so a message that fails for good would be lost;"
                            + " declare it withDeadLetters(…)",
                    null);
        }
    }

    /** Whether messages and answers come through. */
    boolean delivers() {
        return !down && !silent;
    }

    // What the transport asks.

    Clock clock() {
        return clock;
    }

    Instant answersAt(Instant sentAt) {
        return sentAt.plus(latency);
    }

    boolean isDown() {
        return down;
    }

    /** Whether an answer may come now. */
    boolean speaks() {
        return !silent || down;
    }

    int sizeLimit() {
        return sizeLimit;
    }

    /** What stops every message, or null. */
    @Nullable NotConfirmed obstacle() {
        if (down) {
            return new NotConfirmed(SendFailure.CONNECTION_LOST, "the broker is down");
        }
        String reason = alarm;
        return reason == null ? null : new NotConfirmed(SendFailure.BLOCKED, reason);
    }

    boolean serves(String topic) {
        return exchanges.knows(topic)
                || topics.containsKey(topic)
                || (!onlyKnownTopics && exchanges.find(topic) == null); // a queue is not sent to by its name
    }

    /** Stores the message, or says why not. */
    SendResult take(Message message) {
        NotConfirmed obstacle = obstacle();
        if (obstacle != null) {
            return obstacle;
        }
        String topic = message.destination().topic();
        if (!serves(topic)) {
            return new NotConfirmed(SendFailure.TOPIC_UNAVAILABLE, "nobody created topic " + topic);
        }
        boolean exchange = exchanges.knows(topic);
        List<MemoryQueue> queues =
                exchange ? exchanges.route(topic, message.destination().tag()) : List.of();
        if (unbound.contains(topic) || (exchange && queues.isEmpty())) {
            return new NotConfirmed(SendFailure.UNROUTABLE, "no queue is bound to " + message.destination());
        }
        SendFailure failure = result.apply(message);
        if (failure != null) {
            return new NotConfirmed(failure, "told to answer so");
        }
        StoredMessage stored = new StoredMessage(nextId(), clock.instant(), message);
        try {
            if (exchange) {
                exchanges.expire();
                exchanges.deliver(stored, queues);
            } else {
                createTopic(topic);
                changes.change(() -> known(topic).add(stored, changes));
            }
        } catch (UncheckedIOException e) {
            return notWritten(e);
        }
        return new SendResult.Confirmed(stored.brokerId());
    }

    NotConfirmed notWritten(UncheckedIOException e) {
        return down
                ? new NotConfirmed(SendFailure.CONNECTION_LOST, "the broker is down")
                : new NotConfirmed(SendFailure.BLOCKED, "the broker's file cannot be written: " + e.getMessage());
    }

    ChangeLog changes() {
        return changes;
    }

    long nextNumber() {
        return numbers.incrementAndGet();
    }

    String nextId() {
        return ID_PREFIX + nextNumber();
    }

    static long numberOf(String id) {
        return Long.parseLong(id.substring(ID_PREFIX.length()));
    }

    private MemoryTopic known(String topic) {
        MemoryTopic log = topics.get(topic);
        if (log == null) {
            throw new IllegalStateException("topic " + topic + " was created just now");
        }
        return log;
    }

    private void refuseIfExchange(String name) {
        if (exchanges.knows(name)) {
            throw badSetting(name + " is an exchange; what it gets is in the queues that are bound to it");
        }
    }

    private static TransportException badSetting(String sentence) {
        return new TransportException(Reason.BAD_SETTING, sentence, null);
    }
}
