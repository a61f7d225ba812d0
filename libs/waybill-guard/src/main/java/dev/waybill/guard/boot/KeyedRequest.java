package dev.waybill.guard.boot;

/**
 * The request that a key is claimed for. {@code key} is the prefix and the key of the caller, without {@code idempotent:}.
 */
record KeyedRequest(String key, String fingerprint, String traceId) {

    /** The name in the store. */
    String storeKey() {
        return "idempotent:" + key;
    }
}
