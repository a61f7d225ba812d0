package dev.waybill.starter.alert;

import dev.waybill.alert.AlertMonitor;
import dev.waybill.jdbc.JdbcAlertStore;
import dev.waybill.message.LogText;
import dev.waybill.starter.StartUpException;
import dev.waybill.store.AlertStore;
import dev.waybill.store.StoreException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Looks while the application runs: starts after the relay and the listeners, and stops before them. */
final class AlertLifecycle implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(AlertLifecycle.class);
    private static final Duration STOP = Duration.ofSeconds(2);

    private final AlertStore store;
    private final Supplier<AlertMonitor> monitors;
    private @Nullable AlertMonitor monitor;

    /** @param monitors asked at each start, because it depends on what was started before */
    AlertLifecycle(AlertStore store, Supplier<AlertMonitor> monitors) {
        this.store = store;
        this.monitors = monitors;
    }

    @Override
    public synchronized void start() {
        if (monitor != null) {
            return;
        }
        if (store instanceof JdbcAlertStore table) {
            verify(table);
        }
        AlertMonitor started = monitors.get();
        started.start();
        monitor = started;
    }

    private static void verify(JdbcAlertStore table) {
        try {
            table.verify();
        } catch (StoreException e) {
            if (e.reason() == StoreException.Reason.MISCONFIGURED) {
                throw new StartUpException(
                        "waybill.alerts.enabled",
                        "The table of alerts cannot be used: " + e.getMessage() + ".",
                        "Set waybill.outbox.ddl=apply to create it, create it with the statements that"
                                + " waybill.outbox.ddl=print logs, or set waybill.alerts.enabled=false.",
                        e);
            }
            log.warn(
                    "[Alerts] The table was not checked, because the database does not answer error={}",
                    LogText.sentence(e.getMessage()));
        }
    }

    /** A sink that hangs costs two seconds of the stop, and no more. */
    @Override
    public synchronized void stop() {
        if (monitor != null) {
            monitor.stop(STOP);
            monitor = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return monitor != null;
    }
}
