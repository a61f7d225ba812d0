package dev.waybill.guard.boot;

/** Every metric of the guards; the list in docs/guards.md is compared with this one by a test. */
enum GuardMetric {
    /** outcome: allowed, refused, unguarded (the store was down and the limit let it pass), unavailable. */
    RATELIMIT_DECISIONS("waybill.guard.ratelimit.decisions", "api"),
    /** outcome: first, replayed, in_progress, key_reused, key_missing, bad_input, unguarded, unavailable. */
    IDEMPOTENT_REQUESTS("waybill.guard.idempotent.requests", "prefix"),
    /** outcome: stored, released, lost (a successor holds the key), unknown (the store did not answer). */
    IDEMPOTENT_SETTLEMENTS("waybill.guard.idempotent.settlements", "prefix"),
    /** outcome, why the store was of no use: not_connected, login_refused, timed_out, failed, full. */
    STORE_FALLBACKS("waybill.guard.store.fallbacks", "guard");

    private final String text;
    private final String tag;

    GuardMetric(String text, String tag) {
        this.text = text;
        this.tag = tag;
    }

    String text() {
        return text;
    }

    /** The tag beside {@code outcome}. */
    String tag() {
        return tag;
    }
}
