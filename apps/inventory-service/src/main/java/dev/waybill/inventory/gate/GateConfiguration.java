package dev.waybill.inventory.gate;

import dev.waybill.inbox.Dependency;
import dev.waybill.inventory.InventorySettings;
import dev.waybill.inventory.domain.GateUnavailableException;
import dev.waybill.inventory.domain.InventoryCheckpoints;
import dev.waybill.inventory.domain.StockGate;
import dev.waybill.inventory.domain.StockReconciler;
import dev.waybill.redis.RedisLink;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** The stock gate, in Redis where the service has one, else inside the process, and the job that reconciles it. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class GateConfiguration {

    @Bean
    StockGate stockGate(ObjectProvider<RedisLink> redis, InventorySettings settings) {
        InventorySettings.Gate gate = settings.gate();
        RedisLink link = redis.getIfAvailable();
        return link == null
                ? new InProcessGate(Clock.systemUTC(), gate.lease())
                : new RedisGate(link, gate.keyPrefix(), gate.lease());
    }

    /** While the gate does not answer, the listeners pause: orders wait in the broker and no delivery is spent. */
    @Bean
    Dependency stockGateDependency(StockGate gate) {
        return new Dependency() {
            @Override
            public String name() {
                return "stock gate";
            }

            @Override
            public boolean answers() {
                return gate.answers();
            }

            /** A failed call of the gate pauses the listeners; it is not counted as a failed delivery of the order's event. */
            @Override
            public boolean caused(Throwable failure) {
                return failure instanceof GateUnavailableException
                        || failure.getCause() instanceof GateUnavailableException;
            }
        };
    }

    /** One thread for one job. A stop lets the pass under way finish, then interrupts it. */
    @Bean
    ThreadPoolTaskScheduler taskScheduler() {
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.setThreadNamePrefix("inventory-reconciler-");
        scheduler.setDaemon(true);
        scheduler.setAwaitTerminationSeconds(10);
        return scheduler;
    }

    @Bean
    ReconcileJob reconcileJob(StockReconciler reconciler, InventorySettings settings) {
        return new ReconcileJob(reconciler, settings.reconcile());
    }

    /** A context that brings checkpoints of its own has those used instead. */
    @Bean
    @Fallback
    InventoryCheckpoints checkpoints() {
        return InventoryCheckpoints.NONE;
    }
}
