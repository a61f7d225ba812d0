package dev.waybill.transport;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.DeadLetter;

/** A broker's own dead letters of one subscription: collected before they expire, sent back on request. */
public interface DeadLetterQueue extends AutoCloseable {

    /**
     * Collects: each letter is given to the sink and leaves the broker only after the sink returned. A crash in
     * between gives it to a sink again; sinks recognise that by the letter's key.
     */
    Lifecycle collect(Sink sink);

    /**
     * Sends a letter back to the group or queue that failed, and to no other, as a first delivery; waits for the broker's
     * confirmation, bounded in time.
     */
    SendResult replay(DeadLetter letter);

    @Override
    void close();

    /** Takes letters for good. Throws when it could not: the letter stays at the broker. */
    @FunctionalInterface
    interface Sink {
        void save(DeadLetter letter);
    }
}
