package dev.waybill.outbox;

import dev.waybill.message.Event;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Lease;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The short way from a commit to the relay of the same process: the event stays in memory. */
interface Handoff {

    /** For an outbox without a relay beside it: every row is simply due. */
    Handoff NONE = new Handoff() {
        @Override
        public @Nullable Lease reserve(List<Event> events) {
            return null;
        }

        @Override
        public void cancel(List<Event> events) {}

        @Override
        public void accept(List<ClaimedEvent> events, long appendedAt) {}

        @Override
        public void wake() {}

        @Override
        public long now() {
            return System.nanoTime();
        }
    };

    /** Reserves room for events about to be appended; null when they had better be due at once. */
    @Nullable Lease reserve(List<Event> events);

    /** Gives reserved room back: the events will not commit. */
    void cancel(List<Event> events);

    /**
     * Takes over committed events for which room was reserved.
     *
     * @param appendedAt the relay's {@link #now} before the oldest of them was appended
     */
    void accept(List<ClaimedEvent> events, long appendedAt);

    /** Something committed that is due now. */
    void wake();

    /** The relay's own clock, in nanoseconds. */
    long now();
}
