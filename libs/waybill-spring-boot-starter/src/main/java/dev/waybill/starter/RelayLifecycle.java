package dev.waybill.starter;

import dev.waybill.message.LogText;
import dev.waybill.outbox.Relay;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.StoreException;
import dev.waybill.transport.TransportException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Checks the table and runs the relay while the application runs. It starts before the web server accepts requests and stops
 * after the web server has stopped; the DataSource and the transport close after it.
 */
public final class RelayLifecycle implements SmartLifecycle {

    /** Below Spring Boot's web server, which starts at 2048 and ends gracefully at 1024 below the default. */
    public static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

    private static final Logger log = LoggerFactory.getLogger(RelayLifecycle.class);

    private static final Duration PAUSE_PATIENCE = Duration.ofSeconds(10);

    private final OutboxStore store;
    private final @Nullable Relay relay;
    private final BooleanSupplier onlyConsumes;
    private final StopBudget stopBudget;
    private volatile boolean running;
    private volatile boolean needless;
    private volatile boolean paused;

    RelayLifecycle(OutboxStore store, @Nullable Relay relay, BooleanSupplier onlyConsumes, StopBudget stopBudget) {
        this.store = store;
        this.relay = relay;
        this.onlyConsumes = onlyConsumes;
        this.stopBudget = stopBudget;
    }

    /** Whether the relay was not started because nothing here publishes and there is no table to relay from. */
    public boolean isNeedless() {
        return needless;
    }

    @Override
    public synchronized void start() {
        stopBudget.reset();
        needless = false;
        try {
            if (relay == null || paused) {
                store.verify();
            } else {
                relay.start();
            }
            running = true;
        } catch (StoreException e) {
            if (e.reason() != StoreException.Reason.MISCONFIGURED || !onlyConsumes.getAsBoolean()) {
                throw refused(e);
            }
            needless = true;
            running = true;
            log.info(
                    "[OutboxRelay] not started: no bean of this application publishes, and its outbox table cannot be"
                            + " used ({})",
                    LogText.sentence(e.getMessage()));
        } catch (TransportException e) {
            throw new StartUpException(
                    "waybill.broker",
                    "The relay's transport must not start as it is set up: " + e.getMessage() + ".",
                    "Change that setting of the broker's transport.",
                    e);
        }
    }

    /** Stops sending until {@link #resume}; the application goes on publishing, and rows wait in the table. */
    public synchronized void pause() {
        paused = true; // before it stops, so that nobody takes that for a failure
        try {
            if (running && relay != null && !relay.stop(PAUSE_PATIENCE)) {
                log.warn("[OutboxRelay] Pause reached {} with work under way; leases return it", PAUSE_PATIENCE);
            }
        } catch (RuntimeException e) {
            paused = false; // it may still send: whoever asked has to ask again
            throw e;
        }
    }

    /** Sends again. */
    public synchronized void resume() {
        if (running && relay != null && !needless) {
            relay.start();
        }
        paused = false;
    }

    /** Whether a person has paused the relay. */
    public boolean isPaused() {
        return paused;
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
        if (relay != null && !stopBudget.stopSending(relay)) {
            log.warn("[OutboxRelay] Stop reached {} with work under way; leases return it", stopBudget);
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
