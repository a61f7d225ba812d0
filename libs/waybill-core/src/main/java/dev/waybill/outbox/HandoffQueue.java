package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Lease;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Everything that the relay holds: what waits to be sent, handed off or claimed, and what is under way. */
final class HandoffQueue implements Handoff {

    private final Lease lease;
    private final int capacity;
    private final LongSupplier ticker;
    private final Checkpoints checkpoints;
    private final Consumer<Ending> endings;
    private final Runnable waker;
    private final Breakers breakers;

    private final Semaphore room;
    private final LinkedBlockingQueue<Held> waiting = new LinkedBlockingQueue<>();
    private final AtomicInteger claimedWaiting = new AtomicInteger();
    private final Map<String, Held> holdings = new ConcurrentHashMap<>();
    private volatile boolean open;

    HandoffQueue(RelayParts parts, Lease lease, Breakers breakers, Consumer<Ending> endings, Runnable waker) {
        this.breakers = breakers;
        this.lease = lease;
        this.capacity = parts.settings().handoffCapacity();
        this.ticker = parts.ticker();
        this.checkpoints = parts.checkpoints();
        this.endings = endings;
        this.waker = waker;
        this.room = new Semaphore(capacity);
    }

    /** Whether commits may hand over; before the start and from the stop on, rows had better be due. */
    void open(boolean open) {
        this.open = open;
    }

    @Override
    public @Nullable Lease reserve(int events) {
        return open && !breakers.brokerIsDown() && room.tryAcquire(events) ? lease : null;
    }

    @Override
    public void cancel(int events) {
        room.release(events);
    }

    @Override
    public void accept(List<ClaimedEvent> claimedEvents, long appendedAt) {
        long heldUntil = appendedAt + lease.duration().toNanos();
        boolean late =
                !open || ticker.getAsLong() - appendedAt > lease.duration().toNanos() / 2;
        for (ClaimedEvent claimed : claimedEvents) {
            Held held = new Held(claimed, ticker.getAsLong(), heldUntil, true);
            holdings.put(claimed.rowKey(), held);
            if (late) {
                room.release();
                endings.accept(new Ending.GivenBack(held, Duration.ZERO));
            } else {
                waiting.add(held);
            }
        }
        checkpoints.reached(Checkpoints.Place.HANDED_OFF);
    }

    @Override
    public void wake() {
        waker.run();
    }

    @Override
    public long now() {
        return ticker.getAsLong();
    }

    void claimed(List<ClaimedEvent> claimedEvents, long claimedAt) {
        long heldUntil = claimedAt + lease.duration().toNanos();
        for (ClaimedEvent claimed : claimedEvents) {
            Held known = holdings.get(claimed.rowKey());
            if (known != null) {
                // we were too slow for our own lease and took the row anew: it is on its way already, once is enough
                known.renewed(claimed, heldUntil);
                continue;
            }
            Held held = new Held(claimed, claimedAt, heldUntil, false);
            holdings.put(claimed.rowKey(), held);
            claimedWaiting.incrementAndGet();
            waiting.add(held);
        }
    }

    /** The next claimed; null when none came within the patience. */
    @Nullable Held next(Duration patience) throws InterruptedException {
        return taken(waiting.poll(patience.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** The next claimed if there is one right now. */
    @Nullable Held nextNow() {
        return taken(waiting.poll());
    }

    private @Nullable Held taken(@Nullable Held held) {
        if (held == null) {
            return null;
        }
        if (held.handedOff) {
            room.release();
        } else {
            claimedWaiting.decrementAndGet();
        }
        return held;
    }

    void gone(Held held) {
        holdings.remove(held.claimed().rowKey(), held);
    }

    Collection<Held> holdings() {
        return holdings.values();
    }

    int waiting() {
        return waiting.size();
    }

    int claimedWaiting() {
        return claimedWaiting.get();
    }

    /** Events appended by transactions that have not ended, or waiting to be sent. */
    int reserved() {
        return capacity - room.availablePermits();
    }
}
