package dev.waybill.inventory.gate;

import dev.waybill.inventory.InventorySettings;
import dev.waybill.inventory.domain.GateUnavailableException;
import dev.waybill.inventory.domain.Reconciler;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Runs the reconciler all the time: at the start, then again after each pause. Trouble of one pass does not end it. */
final class ReconcilerLoop implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(ReconcilerLoop.class);
    private static final long STOP_SECONDS = 10;

    private final Reconciler reconciler;
    private final InventorySettings.Reconcile settings;
    private @Nullable ScheduledExecutorService thread;

    ReconcilerLoop(Reconciler reconciler, InventorySettings.Reconcile settings) {
        this.reconciler = reconciler;
        this.settings = settings;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a pass never throws
    public synchronized void start() {
        if (thread != null) {
            return;
        }
        ScheduledExecutorService fresh = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread worker = new Thread(task, "inventory-reconciler");
            worker.setDaemon(true);
            return worker;
        });
        fresh.scheduleWithFixedDelay(this::pass, 0, settings.interval().toMillis(), TimeUnit.MILLISECONDS);
        thread = fresh;
    }

    private void pass() {
        try {
            reconciler.pass(settings.batch());
        } catch (GateUnavailableException e) {
            log.warn("[Reconciler] waits for the gate: {}", e.getMessage());
        } catch (RuntimeException e) {
            log.warn("[Reconciler] pass failed, the next one starts in {}", settings.interval(), e);
        }
    }

    @Override
    public synchronized void stop() {
        ScheduledExecutorService running = thread;
        thread = null;
        if (running == null) {
            return;
        }
        running.shutdown();
        try {
            if (!running.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                log.warn("[Reconciler] did not stop within {} s", STOP_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return thread != null;
    }
}
