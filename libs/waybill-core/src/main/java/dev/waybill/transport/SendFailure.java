package dev.waybill.transport;

/** Every way in which a send fails, and what follows from it. */
public enum SendFailure {
    /** No route leads from the event's type to a destination. */
    NO_DESTINATION(Scope.MESSAGE, Hope.NONE),
    /** The event cannot be written as an envelope. */
    UNSERIALISABLE(Scope.MESSAGE, Hope.NONE),
    /** The broker can never accept this topic, tag or header. */
    ILLEGAL_MESSAGE(Scope.MESSAGE, Hope.NONE),
    /** Larger than the transport's limit. */
    TOO_LARGE(Scope.MESSAGE, Hope.NONE),
    /** The broker took it and said no. */
    NACKED(Scope.MESSAGE, Hope.SOME),
    /** The broker found no queue for it. */
    UNROUTABLE(Scope.MESSAGE, Hope.SOME),
    /** The broker has it, but not as safely as we ask: not flushed, not replicated. */
    NOT_STORED(Scope.MESSAGE, Hope.SOME),
    /** The broker asks for less. */
    THROTTLED(Scope.MESSAGE, Hope.SOME),
    /** No answer in time. One is bad luck; many in a row mean that the topic is down. */
    TIMED_OUT(Scope.MESSAGE, Hope.SOME),
    /** The topic (or exchange) is not there, or nobody serves it now. */
    TOPIC_UNAVAILABLE(Scope.TOPIC, Hope.SOME),
    /** The connection is gone or cannot be made. */
    CONNECTION_LOST(Scope.BROKER, Hope.SOME),
    /** The broker stopped taking messages: its own alarm. */
    BLOCKED(Scope.BROKER, Hope.SOME);

    /** How much is affected. */
    public enum Scope {
        MESSAGE,
        TOPIC,
        BROKER
    }

    private enum Hope {
        NONE,
        SOME
    }

    private final Scope scope;
    private final Hope hope;

    SendFailure(Scope scope, Hope hope) {
        this.scope = scope;
        this.hope = hope;
    }

    public Scope scope() {
        return scope;
    }

    /** Whether no later send can succeed either. */
    public boolean permanent() {
        return hope == Hope.NONE;
    }
}
