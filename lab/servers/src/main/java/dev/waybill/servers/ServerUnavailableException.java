package dev.waybill.servers;

/** A server cannot be had, or cannot be controlled; the message is one sentence that says why and what to do. */
public final class ServerUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ServerUnavailableException(String message) {
        super(message);
    }

    ServerUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
