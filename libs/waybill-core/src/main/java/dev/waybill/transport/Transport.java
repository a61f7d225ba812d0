package dev.waybill.transport;

import dev.waybill.message.Message;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to one broker (or cluster) and tells what the broker made of them.
 *
 * <p>Safe for many threads. Reconnects by itself. Start and close are idempotent.
 */
public interface Transport extends AutoCloseable {

    /** A short name for logs and metrics, such as {@code rabbitmq}. */
    String name();

    /**
     * Checks the settings and makes ready. An unreachable broker is no error here: it is a matter of time.
     *
     * @throws TransportException when a setting would break a promise; the message names it
     */
    void start();

    /**
     * Sends without waiting for the broker. Each message gets exactly one result, in any order, on any thread, at the
     * latest when the transport's send time-out has passed. May block for a moment while the broker pushes back, never
     * longer than that time-out. Trouble of the broker is a result, not an exception.
     */
    void send(List<Message> batch, SendResults results);

    /** How many messages a call of {@link #send} takes to best effect. */
    int batchLimit();

    /**
     * The longest time that should lie between two calls of {@link #send} with few messages each while more keep coming, for
     * a transport where every call is costly: what comes in between goes together. Zero for none.
     */
    default Duration batchLinger() {
        return Duration.ZERO;
    }

    /**
     * Asks whether sending is worth a try again. Bounded in time; sends no message.
     *
     * @param target a topic that failed, or the whole broker
     */
    boolean probe(SendTarget target);

    /**
     * What keeps it from sending anything at all, as far as it knows without asking: one sentence that names host, port and
     * user. Null while it can send. Never waits.
     */
    default @Nullable String obstacle() {
        return null;
    }

    /** Waits for nothing: messages without a result get {@link SendFailure#CONNECTION_LOST}. */
    @Override
    void close();

    /** Takes the results of one call of {@link #send}. Quick, and never throws. */
    @FunctionalInterface
    interface SendResults {

        /**
         * What the broker made of one message.
         *
         * @param index the message's place in the batch
         */
        void report(int index, SendResult result);
    }
}
