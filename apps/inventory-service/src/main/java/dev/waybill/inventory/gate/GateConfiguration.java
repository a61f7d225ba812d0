package dev.waybill.inventory.gate;

import dev.waybill.inbox.Dependency;
import dev.waybill.inventory.InventorySettings;
import dev.waybill.inventory.domain.GateUnavailableException;
import dev.waybill.inventory.domain.Reconciler;
import dev.waybill.inventory.domain.Steps;
import dev.waybill.inventory.domain.StockGate;
import dev.waybill.redis.RedisLink;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;

/** The gate of this process: in Redis where the service has one, else inside the process. */
@Configuration(proxyBeanMethods = false)
class GateConfiguration {

    @Bean
    StockGate stockGate(ObjectProvider<RedisLink> redis, InventorySettings settings) {
        InventorySettings.Gate gate = settings.gate();
        RedisLink link = redis.getIfAvailable();
        return link == null
                ? new InProcessGate(Clock.systemUTC(), gate.lease())
                : new RedisGate(link, gate.keyPrefix(), gate.lease());
    }

    /** While the gate does not answer, orders wait in the broker and no delivery is spent. */
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

            /** One time-out is not the order's fault. */
            @Override
            public boolean caused(Throwable failure) {
                return failure instanceof GateUnavailableException
                        || failure.getCause() instanceof GateUnavailableException;
            }
        };
    }

    @Bean
    ReconcilerLoop reconcilerLoop(Reconciler reconciler, InventorySettings settings) {
        return new ReconcilerLoop(reconciler, settings.reconcile());
    }

    /** Gives way to any other. */
    @Bean
    @Fallback
    Steps steps() {
        return Steps.NONE;
    }
}
