package dev.waybill.jdbc;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Lets one append in a few milliseconds notify. PostgreSQL takes a lock on the whole server for a transaction that notified,
 * from just before its commit record is flushed to the end: such commits go one by one. Where a hundred appends a moment find no
 * relay here, one of them is enough to wake the others' relays.
 */
final class NotifyThrottle {

    static final Duration GAP = Duration.ofMillis(5);

    private final LongSupplier ticker;
    private final AtomicLong next;

    NotifyThrottle(LongSupplier ticker) {
        this.ticker = ticker;
        this.next = new AtomicLong(ticker.getAsLong());
    }

    boolean allows() {
        long now = ticker.getAsLong();
        long due = next.get();
        return now - due >= 0 && next.compareAndSet(due, now + GAP.toNanos());
    }
}
