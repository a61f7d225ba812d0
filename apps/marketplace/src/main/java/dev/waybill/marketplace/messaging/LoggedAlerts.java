package dev.waybill.marketplace.messaging;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Alerts as log lines. */
final class LoggedAlerts implements Alerts {

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
