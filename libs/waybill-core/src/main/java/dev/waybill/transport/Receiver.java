package dev.waybill.transport;

import dev.waybill.message.HandlerResult;
import java.util.List;
import java.util.Objects;

/** Takes deliveries. Called by many threads, at most as many as the subscription's concurrency. */
@FunctionalInterface
public interface Receiver {

    /**
     * Receives a batch and answers for each delivery, in order. It may take its time: while the consumer's database is
     * down it waits here, holding the deliveries, so that none is spent. A receiver that throws, or whose process dies,
     * has acknowledged nothing: the deliveries come back.
     */
    List<HandlerResult> receive(List<Delivery> batch) throws InterruptedException;

    /**
     * For adapters, at a stop: interrupts a thread that is inside {@link #receive} and only waits there for a database or
     * another dependency, since a stop need not wait for that. A thread whose handler is at work is left alone.
     */
    default void interruptIfWaiting(Thread receiving) {}

    /**
     * For adapters: {@link #receive}, but never with an answer missing.
     *
     * @throws IllegalStateException when the receiver answered for more or fewer deliveries than it got
     */
    default List<HandlerResult> receiveAll(List<Delivery> batch) throws InterruptedException {
        List<HandlerResult> results = receive(batch);
        if (results.size() != batch.size()) {
            throw new IllegalStateException(results.size() + " results for " + batch.size() + " deliveries");
        }
        if (!results.stream().allMatch(Objects::nonNull)) {
            throw new IllegalStateException("a result is null");
        }
        return results;
    }
}
