package dev.waybill.starter.retention;

import dev.waybill.starter.InboxProperties;
import dev.waybill.starter.RetentionProperties;
import dev.waybill.starter.StartUpException;
import java.time.Duration;
import java.util.Map;

/** Refuses ages that would break a guarantee, naming the property. */
final class RetentionPropertiesValidator {

    private static final Duration LEAST = Duration.ofHours(1);

    private RetentionPropertiesValidator() {}

    static void check(RetentionProperties retention, InboxProperties inbox) {
        Map.of(
                        "sent", retention.sent(),
                        "attempts", retention.attempts(),
                        "failed", retention.failed(),
                        "letters", retention.letters(),
                        "audit", retention.audit())
                .forEach((name, age) -> require(
                        age.compareTo(LEAST) >= 0, name, age, "what is younger than an hour may still be looked at"));
        require(
                retention.sent().compareTo(inbox.retention()) <= 0,
                "sent",
                retention.sent(),
                "waybill.inbox.retention=" + inbox.retention()
                        + " is shorter, and an event that is sent again after the inbox forgot it would be handled again");
        require(
                !retention.interval().isNegative() && !retention.interval().isZero(),
                "interval",
                retention.interval(),
                "it is longer than zero");
    }

    private static void require(boolean holds, String name, Object value, String rule) {
        if (!holds) {
            String property = "waybill.retention." + name;
            throw new StartUpException(
                    property,
                    property + "=" + value + " cannot be used: " + rule + ".",
                    "Change " + property + ".",
                    null);
        }
    }
}
