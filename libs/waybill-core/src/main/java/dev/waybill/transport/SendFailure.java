package dev.waybill.transport;

/**
 * Every way in which a send fails, and what follows from it. What befalls one message is that message's own, but many
 * messages of a topic that fail in a row, with none confirmed between them, mean that the topic is down.
 */
public enum SendFailure {
    /** No route leads from the event's type to a destination. */
    NO_DESTINATION(Scope.MESSAGE, Retryable.NO),
    /** The event cannot be written as an envelope. */
    UNSERIALISABLE(Scope.MESSAGE, Retryable.NO),
    /** The broker can never accept this topic, tag or header. */
    ILLEGAL_MESSAGE(Scope.MESSAGE, Retryable.NO),
    /** Larger than the transport's limit. */
    TOO_LARGE(Scope.MESSAGE, Retryable.NO),
    /** The relay could not make the message: a router that throws. The broker was not asked. */
    NOT_PREPARED(Scope.MESSAGE, Retryable.YES),
    /** The broker took it and said no. */
    NACKED(Scope.MESSAGE, Retryable.YES),
    /** The broker found no queue for it. */
    UNROUTABLE(Scope.MESSAGE, Retryable.YES),
    /** The broker has it, but not as safely as we ask: not flushed, not replicated. */
    NOT_STORED(Scope.MESSAGE, Retryable.YES),
    /** The broker asks for less. */
    THROTTLED(Scope.MESSAGE, Retryable.YES),
    /** No answer in time. */
    TIMED_OUT(Scope.MESSAGE, Retryable.YES),
    /** Its time was up before it left this process, because the topic took nothing: no copy of it is anywhere. */
    NOT_SENT(Scope.TOPIC, Retryable.YES),
    /** The topic (or exchange) is not there, or nobody serves it now. */
    TOPIC_UNAVAILABLE(Scope.TOPIC, Retryable.YES),
    /** There was no connection, so it never left this process: no copy of it is anywhere. */
    NO_CONNECTION(Scope.BROKER, Retryable.YES),
    /** The connection was lost while it was under way: the broker may have it. */
    CONNECTION_LOST(Scope.BROKER, Retryable.YES),
    /** The broker stopped taking messages: its own alarm. */
    BLOCKED(Scope.BROKER, Retryable.YES);

    /** How much is affected. */
    public enum Scope {
        MESSAGE,
        TOPIC,
        BROKER
    }

    private enum Retryable {
        NO,
        YES
    }

    private final Scope scope;
    private final Retryable retryable;

    SendFailure(Scope scope, Retryable retryable) {
        this.scope = scope;
        this.retryable = retryable;
    }

    public Scope scope() {
        return scope;
    }

    /** Whether no later send can succeed either. */
    public boolean permanent() {
        return retryable == Retryable.NO;
    }
}
