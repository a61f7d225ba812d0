package dev.waybill.outbox;

import dev.waybill.store.ClaimedEvent;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Events that wait to be sent, handed off by commits or claimed from the table. Handed-off events need room that was
 * reserved when they were appended; the claimer looks itself at how many of its own still wait.
 */
final class SendQueue {

    private final int handoffCapacity;
    private final Semaphore handoffRoom;
    private final LinkedBlockingQueue<ClaimedEvent> waiting = new LinkedBlockingQueue<>();
    private final AtomicInteger claimedWaiting = new AtomicInteger();

    SendQueue(int handoffCapacity) {
        this.handoffCapacity = handoffCapacity;
        this.handoffRoom = new Semaphore(handoffCapacity);
    }

    boolean reserve(int events) {
        return handoffRoom.tryAcquire(events);
    }

    void cancel(int events) {
        handoffRoom.release(events);
    }

    void add(ClaimedEvent event) {
        if (!event.isHandedOff()) {
            claimedWaiting.incrementAndGet();
        }
        waiting.add(event);
    }

    /** The next event; null when none came within the patience. */
    @Nullable ClaimedEvent next(Duration patience) throws InterruptedException {
        return taken(waiting.poll(patience.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** The next event if there is one right now. */
    @Nullable ClaimedEvent nextNow() {
        return taken(waiting.poll());
    }

    private @Nullable ClaimedEvent taken(@Nullable ClaimedEvent event) {
        if (event == null) {
            return null;
        }
        if (event.isHandedOff()) {
            handoffRoom.release();
        } else {
            claimedWaiting.decrementAndGet();
        }
        return event;
    }

    int size() {
        return waiting.size();
    }

    int claimedWaiting() {
        return claimedWaiting.get();
    }

    /** Events appended by transactions that have not ended, or handed off and not yet taken. */
    int reserved() {
        return handoffCapacity - handoffRoom.availablePermits();
    }
}
