package dev.waybill.inventory;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Everything under {@code inventory}.
 *
 * @param orderTopic the topic of the orders' events
 * @param group the consumer group under which events count as handled
 * @param gate the stock gate
 * @param reconcile the reconciler
 */
@ConfigurationProperties("inventory")
public record InventorySettings(
        @DefaultValue("ORDER_TOPIC") String orderTopic,
        @DefaultValue("inventory-service") String group,
        @DefaultValue Gate gate,
        @DefaultValue Reconcile reconcile) {

    /**
     * The stock gate.
     *
     * @param keyPrefix what its Redis keys begin with
     * @param lease how long stock stays held for an order whose process died
     */
    public record Gate(
            @DefaultValue("inv:") String keyPrefix,
            @DefaultValue("30s") Duration lease) {
        public Gate {
            if (lease.isZero() || lease.isNegative()) {
                throw new IllegalStateException("inventory.gate.lease must be longer than nothing: " + lease);
            }
        }
    }

    /**
     * The reconciler.
     *
     * @param interval pause between two comparisons of the whole stock
     * @param batch rows compared at a time
     */
    public record Reconcile(
            @DefaultValue("5s") Duration interval,
            @DefaultValue("200") int batch) {
        public Reconcile {
            if (interval.isZero() || interval.isNegative() || batch < 1) {
                throw new IllegalStateException(
                        "inventory.reconcile.interval must be longer than nothing and inventory.reconcile.batch at least 1");
            }
        }
    }
}
