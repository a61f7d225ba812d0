package dev.waybill.guard.idempotent;

/** The request that a claim is about. {@code key} is prefix and key of the caller, without {@code idempotent:}. */
public record Subject(String key, String fingerprint, String traceId) {

    /** The name in the store. */
    public String storeKey() {
        return "idempotent:" + key;
    }
}
