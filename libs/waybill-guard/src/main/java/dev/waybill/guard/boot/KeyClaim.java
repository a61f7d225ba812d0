package dev.waybill.guard.boot;

import dev.waybill.guard.web.Code;
import org.jspecify.annotations.Nullable;

/** The store's answer to a request that wants to run under a key. */
sealed interface KeyClaim {

    /** The key is yours until the lease ends. Fences of one key grow: a later claim has a higher one. */
    record Claimed(long fence, long createdAt) implements KeyClaim {}

    /** Another caller is running the same request. */
    record StillRunning() implements KeyClaim {}

    /** The request was run before. */
    record Completed(StoredResult result) implements KeyClaim {}

    /** The key stands for a different request. */
    record OtherRequest() implements KeyClaim {}

    /**
     * A finished run's {@code data} as JSON, null where it was too large to keep, its HTTP status, and the code and the
     * message of the handler: {@code 00000} and empty where it gave none of its own.
     */
    record StoredResult(@Nullable String json, int httpStatus, String code, String message) {

        StoredResult(@Nullable String json, int httpStatus) {
            this(json, httpStatus, Code.OK.text(), "");
        }

        boolean hasOwnWords() {
            return !code.equals(Code.OK.text()) || !message.isEmpty();
        }

        StoredResult withoutData() {
            return new StoredResult(null, httpStatus);
        }
    }
}
