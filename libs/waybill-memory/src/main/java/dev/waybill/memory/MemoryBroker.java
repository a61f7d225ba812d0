package dev.waybill.memory;

import dev.waybill.message.Message;
import dev.waybill.transport.Outcome;
import dev.waybill.transport.Outcome.NotConfirmed;
import dev.waybill.transport.SendFailure;
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
 * <p>Nothing survives the JVM: it is for tests and for trying Waybill out. Safe for many threads.
 */
public final class MemoryBroker {

    private static final int RETAINED = 100_000;

    private final Clock clock;
    private final Map<String, MemoryTopic> topics = new ConcurrentHashMap<>();
    private final Map<List<String>, MemoryGroup> groups = new ConcurrentHashMap<>();
    private final Set<String> unbound = ConcurrentHashMap.newKeySet();
    private final AtomicLong ids = new AtomicLong();
    private volatile boolean onlyKnownTopics;
    private volatile boolean down;
    private volatile boolean silent;
    private volatile @Nullable String alarm;
    private volatile Duration latency = Duration.ZERO;
    private volatile int sizeLimit = 4 * 1024 * 1024;
    private volatile Function<Message, @Nullable SendFailure> verdict = message -> null;

    public MemoryBroker() {
        this(Clock.systemUTC());
    }

    /** Stamps and delays by this clock, which a test may move by hand. */
    public MemoryBroker(Clock clock) {
        this.clock = clock;
    }

    // What readers do.

    /** Makes a topic known. */
    public MemoryBroker createTopic(String topic) {
        topics.computeIfAbsent(topic, name -> new MemoryTopic(RETAINED));
        return this;
    }

    /** Everything that a topic keeps, oldest first. */
    public List<Delivery> read(String topic) {
        MemoryTopic log = topics.get(topic);
        return log == null ? List.of() : log.all();
    }

    /** Hands every message of a topic, from the oldest kept, to the reader, one by one, on a thread of its own. */
    public Subscription subscribe(String topic, Consumer<Delivery> reader) {
        createTopic(topic);
        return new Subscription(topic, known(topic), reader);
    }

    // What tests tell it to do.

    /** From now on a message to a topic that nobody created is {@link SendFailure#TOPIC_UNAVAILABLE}. */
    public MemoryBroker onlyKnownTopics() {
        onlyKnownTopics = true;
        return this;
    }

    /** Nobody can reach it: {@link SendFailure#CONNECTION_LOST}, also for messages it has not answered yet. */
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
    public void answer(Function<Message, @Nullable SendFailure> verdict) {
        this.verdict = verdict;
    }

    // What the subscriptions ask.

    /** A group's progress on a topic, which outlives its members. */
    MemoryGroup group(String topic, String group) {
        createTopic(topic);
        return groups.computeIfAbsent(List.of(topic, group), name -> new MemoryGroup(this, known(topic)));
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
        return !onlyKnownTopics || topics.containsKey(topic);
    }

    /** Stores the message, or says why not. */
    Outcome take(Message message) {
        NotConfirmed obstacle = obstacle();
        if (obstacle != null) {
            return obstacle;
        }
        String topic = message.destination().topic();
        if (!serves(topic)) {
            return new NotConfirmed(SendFailure.TOPIC_UNAVAILABLE, "nobody created topic " + topic);
        }
        if (unbound.contains(topic)) {
            return new NotConfirmed(SendFailure.UNROUTABLE, "no queue is bound to topic " + topic);
        }
        SendFailure failure = verdict.apply(message);
        if (failure != null) {
            return new NotConfirmed(failure, "told to answer so");
        }
        createTopic(topic);
        String brokerId = nextId();
        known(topic).add(new Delivery(brokerId, clock.instant(), message));
        return new Outcome.Confirmed(brokerId);
    }

    String nextId() {
        return "m-" + ids.incrementAndGet();
    }

    private MemoryTopic known(String topic) {
        MemoryTopic log = topics.get(topic);
        if (log == null) {
            throw new IllegalStateException("topic " + topic + " was created just now");
        }
        return log;
    }
}
