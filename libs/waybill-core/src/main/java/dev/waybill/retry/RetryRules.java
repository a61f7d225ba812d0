package dev.waybill.retry;

import java.util.Map;

/**
 * Which policy applies to which event type.
 *
 * @param fallback for every type that has none of its own
 * @param byType policies of single types
 */
public record RetryRules(RetryPolicy fallback, Map<String, RetryPolicy> byType) {

    public RetryRules {
        byType = Map.copyOf(byType);
    }

    public static RetryRules all(RetryPolicy policy) {
        return new RetryRules(policy, Map.of());
    }

    public RetryPolicy of(String eventType) {
        return byType.getOrDefault(eventType, fallback);
    }
}
