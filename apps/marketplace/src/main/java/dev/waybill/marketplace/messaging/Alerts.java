package dev.waybill.marketplace.messaging;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Fallback;
import org.springframework.stereotype.Component;

/** Raises alerts that need a person. Logs by default; a bean of this type is used instead. */
@FunctionalInterface
public interface Alerts {

    /** Raises an alert. The caller raises each one once until it is cleared. */
    void raise(String what, String detail);

    /** The cause of the alert is gone. */
    default void clear(String what) {}

    /** Alerts as log lines. */
    @Component
    @Fallback
    final class Logged implements Alerts {

        private static final Logger log = LoggerFactory.getLogger(Alerts.class);

        @Override
        public void raise(String what, String detail) {
            log.error("[Marketplace] [ALERT] {} {}", what, detail);
        }

        @Override
        public void clear(String what) {
            log.info("[Marketplace] over: {}", what);
        }
    }
}
