package dev.waybill.starter;

import dev.waybill.retry.ExponentialBackoff;
import dev.waybill.retry.FixedSchedule;
import dev.waybill.retry.RetryPolicy;
import dev.waybill.retry.RetryRules;
import dev.waybill.starter.WaybillProperties.TypeRetry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes retry rules from properties. */
final class RetryRulesFactory {

    private static final String PREFIX = "waybill.retry";

    private RetryRulesFactory() {}

    static RetryRules from(WaybillProperties.Retry retry) {
        Map<String, RetryPolicy> byType = new LinkedHashMap<>();
        retry.types().forEach((type, policy) -> byType.put(type, policy(PREFIX + ".types." + type, policy)));
        TypeRetry fallback =
                new TypeRetry(retry.first(), retry.cap(), retry.jitter(), retry.retries(), retry.schedule());
        return new RetryRules(policy(PREFIX, fallback), byType);
    }

    private static RetryPolicy policy(String prefix, TypeRetry retry) {
        if (!retry.schedule().isEmpty()) {
            boolean negative = retry.schedule().stream().anyMatch(Duration::isNegative);
            require(!negative, prefix + ".schedule", retry.schedule(), "waits are not negative");
            return new FixedSchedule(retry.schedule());
        }
        boolean positive = !retry.first().isNegative() && !retry.first().isZero();
        require(positive, prefix + ".first", retry.first(), "the first wait is longer than zero");
        require(
                retry.cap().compareTo(retry.first()) >= 0,
                prefix + ".cap",
                retry.cap(),
                "the cap is at least the first wait");
        require(retry.jitter() >= 0 && retry.jitter() <= 1, prefix + ".jitter", retry.jitter(), "jitter is 0 to 1");
        require(retry.retries() >= 0, prefix + ".retries", retry.retries(), "retries are not negative");
        return ExponentialBackoff.of(retry.first(), retry.cap(), retry.jitter(), retry.retries());
    }

    private static void require(boolean holds, String property, Object value, String rule) {
        if (!holds) {
            throw new StartUpException(
                    property,
                    property + "=" + value + " cannot be used: " + rule + ".",
                    "Change " + property + ".",
                    null);
        }
    }
}
