package dev.waybill.inventory.gate;

import dev.waybill.inventory.InventorySettings;
import dev.waybill.inventory.domain.GateUnavailableException;
import dev.waybill.inventory.domain.StockReconciler;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

/** Runs the reconciler when the service has started, and again after each pause. A pass that fails does not end the job. */
final class ReconcileJob implements SchedulingConfigurer {

    private static final Logger log = LoggerFactory.getLogger(ReconcileJob.class);

    private final StockReconciler reconciler;
    private final InventorySettings.Reconcile settings;

    ReconcileJob(StockReconciler reconciler, InventorySettings.Reconcile settings) {
        this.reconciler = reconciler;
        this.settings = settings;
    }

    @Override
    public void configureTasks(ScheduledTaskRegistrar tasks) {
        tasks.addFixedDelayTask(new FixedDelayTask(this::pass, settings.interval(), Duration.ZERO));
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
}
