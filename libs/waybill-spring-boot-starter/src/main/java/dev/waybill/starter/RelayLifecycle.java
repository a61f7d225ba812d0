package dev.waybill.starter;

import dev.waybill.outbox.Relay;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.StoreException;
import dev.waybill.transport.TransportException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Checks the table and runs the relay while the application runs. It starts before the web server accepts requests and stops
 * after the web server has stopped; the DataSource and the transport close after it.
 */
final class RelayLifecycle implements SmartLifecycle {

    /** Below Spring Boot's web server, which starts at 2048 and ends gracefully at 1024 below the default. */
    static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

    private static final Logger log = LoggerFactory.getLogger(RelayLifecycle.class);

    private final OutboxStore store;
    private final @Nullable Relay relay;
    private final Duration stopDeadline;
    private volatile boolean running;

    RelayLifecycle(OutboxStore store, @Nullable Relay relay, Duration stopDeadline) {
        this.store = store;
        this.relay = relay;
        this.stopDeadline = stopDeadline;
    }

    @Override
    public synchronized void start() {
        try {
            if (relay == null) {
                store.verify();
            } else {
                relay.start();
            }
            running = true;
        } catch (StoreException e) {
            throw refused(e);
        } catch (TransportException e) {
            throw new StartUpException(
                    "waybill.broker",
                    "The relay's transport must not start as it is set up: " + e.getMessage() + ".",
                    "Change that setting of the broker's transport.",
                    e);
        }
    }

    private static RuntimeException refused(StoreException e) {
        return e.reason() == StoreException.Reason.MISCONFIGURED
                ? new StartUpException(
                        "waybill.outbox.ddl",
                        "The outbox table cannot be used: " + e.getMessage() + ".",
                        "Set waybill.outbox.ddl=apply to create what is missing, or create it with the statements that"
                                + " waybill.outbox.ddl=print logs; for a table of your own set waybill.outbox.layout and"
                                + " waybill.outbox.table.",
                        e)
                : e;
    }

    @Override
    public synchronized void stop() {
        running = false;
        if (relay != null && !relay.stop(stopDeadline)) {
            log.warn(
                    "[OutboxRelay] Stop reached waybill.relay.stop-deadline={} with work under way; leases return it",
                    stopDeadline);
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
