package dev.waybill.transport;

import dev.waybill.lifecycle.Lifecycle;

/**
 * Receives messages from one broker (or cluster). Reconnects by itself. Safe for many threads; close is idempotent and
 * stops every subscription.
 */
public interface Subscriptions extends AutoCloseable {

    /** A short name for logs and metrics, such as {@code rabbitmq}. */
    String name();

    /**
     * Makes a subscription. It receives nothing until it is started; stopping it waits for the receiver and lets what
     * was not answered come back.
     *
     * @throws TransportException when a setting would break a promise; the message names it
     */
    Lifecycle subscribe(SubscriptionSpec spec, Receiver receiver);

    /** The dead letters of a subscription. */
    DeadLetterQueue deadLetters(SubscriptionSpec spec);

    @Override
    void close();
}
