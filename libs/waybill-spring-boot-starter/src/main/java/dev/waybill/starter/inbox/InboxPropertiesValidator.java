package dev.waybill.starter.inbox;

import dev.waybill.starter.InboxProperties;
import dev.waybill.starter.StartUpException;
import java.time.Duration;

/** Refuses settings of the inbox that would break it or a guarantee, naming the property. */
final class InboxPropertiesValidator {

    /** An outbox keeps sent events that long by default, so a repeat may come that late. */
    private static final Duration LEAST_RETENTION = Duration.ofDays(7);

    private InboxPropertiesValidator() {}

    static InboxProperties checked(InboxProperties inbox) {
        require(inbox.concurrency() >= 1, "concurrency", inbox.concurrency(), "it is at least 1");
        require(inbox.prefetch() >= 1, "prefetch", inbox.prefetch(), "it is at least 1");
        require(inbox.batch() >= 1, "batch", inbox.batch(), "it is at least 1");
        require(
                inbox.retryDelays().stream().noneMatch(Duration::isNegative),
                "retry-delays",
                inbox.retryDelays(),
                "waits are not negative");
        long body = inbox.maxBody().toBytes();
        require(body >= 1 && body <= Integer.MAX_VALUE, "max-body", inbox.maxBody(), "1 byte to 2 GB");
        require(
                inbox.retention().compareTo(LEAST_RETENTION) >= 0,
                "retention",
                inbox.retention(),
                "an outbox keeps what it sent for 7 days, and a repeat that comes after the inbox forgot the event would"
                        + " be handled again");
        require(isPositive(inbox.sweepInterval()), "sweep-interval", inbox.sweepInterval(), "it is longer than zero");
        return inbox;
    }

    private static boolean isPositive(Duration duration) {
        return !duration.isNegative() && !duration.isZero();
    }

    private static void require(boolean holds, String name, Object value, String rule) {
        if (!holds) {
            String property = "waybill.inbox." + name;
            throw new StartUpException(
                    property,
                    property + "=" + value + " cannot be used: " + rule + ".",
                    "Change " + property + ".",
                    null);
        }
    }
}
