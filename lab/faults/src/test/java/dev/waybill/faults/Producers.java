package dev.waybill.faults;

import dev.waybill.message.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Small business transactions: one business row and one event each, on several threads, paced or as fast as it goes. */
final class Producers implements AutoCloseable {

    static final String BUSINESS_TABLE =
            "CREATE TABLE business (id VARCHAR(40) PRIMARY KEY, note VARCHAR(200) NOT NULL)";
    private static final int USUAL_BYTES = 800;

    private final RelayNode node;
    private final Supplier<Event> events;
    private final int mostEvents;
    private final long pauseNanos;
    private final AtomicInteger begun = new AtomicInteger();
    private final Queue<String> committed = new ConcurrentLinkedQueue<>();
    private final Queue<Long> latencies = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopping;

    /** @param perSecond of all threads together; zero is as fast as it goes */
    Producers(RelayNode node, int threadCount, int mostEvents, int perSecond) {
        this(node, threadCount, mostEvents, perSecond, () -> event(node.spec.number("payload", USUAL_BYTES)));
    }

    Producers(RelayNode node, int threadCount, int mostEvents, int perSecond, Supplier<Event> events) {
        this.node = node;
        this.events = events;
        this.mostEvents = mostEvents;
        this.pauseNanos = perSecond == 0 ? 0 : 1_000_000_000L * threadCount / perSecond;
        for (int i = 0; i < threadCount; i++) {
            Thread thread = new Thread(this::produce, "producer-" + i);
            thread.setDaemon(true);
            threads.add(thread);
        }
    }

    Producers start() {
        threads.forEach(Thread::start);
        return this;
    }

    private void produce() {
        long next = System.nanoTime();
        while (!stopping && begun.incrementAndGet() <= mostEvents) {
            long before = System.nanoTime();
            try {
                committed.add(node.transact(this::transaction));
                latencies.add(System.nanoTime() - before);
            } catch (RuntimeException e) {
                failures.add(String.valueOf(e));
            }
            if (pauseNanos > 0) {
                next += pauseNanos;
                LockSupport.parkNanos(next - System.nanoTime());
            }
        }
    }

    private String transaction(Connection connection) throws SQLException {
        Event event = events.get();
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO business (id, note) VALUES (?, ?)")) {
            insert.setString(1, event.eventId());
            insert.setString(2, "note");
            insert.executeUpdate();
        }
        return node.outbox.publish(event);
    }

    static Event event() {
        return event(USUAL_BYTES);
    }

    static Event event(int bytes) {
        Event event = Event.builder("OrderCreated").build();
        return event.toBuilder()
                .aggregate("Order", "1")
                .bizKey(event.eventId())
                .payload("{\"orderNo\":\"" + event.eventId() + "\",\"note\":\"" + "x".repeat(bytes) + "\"}")
                .build();
    }

    Collection<String> committed() {
        return committed;
    }

    Collection<String> failures() {
        return failures;
    }

    /** Takes the latencies measured since the last call, in nanoseconds. */
    List<Long> takeLatencies() {
        List<Long> taken = new ArrayList<>();
        for (Long one = latencies.poll(); one != null; one = latencies.poll()) {
            taken.add(one);
        }
        return taken;
    }

    void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Stops after the transactions under way. */
    void stop() {
        stopping = true;
        try {
            join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stop();
    }
}
