package dev.waybill.transport;

import dev.waybill.message.HandlerResult;
import java.util.List;

/** Takes deliveries. Called by many threads, at most as many as the subscription's concurrency. */
@FunctionalInterface
public interface Receiver {

    /**
     * Receives a batch and answers for each delivery, in order. It may take its time: while the consumer's database is
     * down it waits here, holding the deliveries, so that none is spent. A receiver that throws, or whose process dies,
     * has acknowledged nothing: the deliveries come back.
     */
    List<HandlerResult> receive(List<Delivery> batch) throws InterruptedException;
}
